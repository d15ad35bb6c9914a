// SPDX-License-Identifier: GPL-3.0-or-later
#include "itemmodels/workingmodel.h"

#include "itemmodels/tabletext.h"
#include "solver/worksheet/formulawords.h"
#include "text/localized.h"
#include "text/utf8.h"

namespace fleetwright::itemmodels {

using namespace Qt::StringLiterals;

struct WorkingModel::Node {
    Node *parent = nullptr;
    int row = 0;
    std::string symbol;
    WorkingLine line;
    std::vector<std::unique_ptr<Node>> children; ///< of line.parts, once they were asked for
};

WorkingModel::WorkingModel(QObject *parent) : QAbstractItemModel(parent), m_root(std::make_unique<Node>()) { }

WorkingModel::~WorkingModel() = default;

void WorkingModel::setLines(Lines lines, const std::vector<std::string> &top)
{
    beginResetModel();
    m_lines = std::move(lines);
    m_root = std::make_unique<Node>();
    for (const auto &key : top) {
        m_root->line.parts.push_back({{}, key});
        m_root->children.push_back(std::make_unique<Node>(
            Node{.parent = m_root.get(), .row = int(m_root->children.size()), .symbol = {}, .line = m_lines(key)}));
    }
    endResetModel();
}

WorkingModel::Node *WorkingModel::nodeOf(const QModelIndex &index) const
{
    return index.isValid() ? static_cast<Node *>(index.internalPointer()) : m_root.get();
}

const WorkingLine *WorkingModel::line(const QModelIndex &index) const
{
    return index.isValid() ? &nodeOf(index)->line : nullptr;
}

QString WorkingModel::nameOf(const std::string &symbol, const WorkingLine &line)
{
    return symbol.empty() ? localized(line.label) : utf8(symbol) + u"   "_s + localized(line.label);
}

QModelIndex WorkingModel::index(int row, int column, const QModelIndex &parent) const
{
    const auto *node = nodeOf(parent);
    if (row < 0 || row >= int(node->children.size()) || column < 0 || column >= columns || parent.column() > 0)
        return {};
    return createIndex(row, column, node->children[std::size_t(row)].get());
}

QModelIndex WorkingModel::parent(const QModelIndex &index) const
{
    const auto *parent = index.isValid() ? nodeOf(index)->parent : nullptr;
    return parent && parent != m_root.get() ? createIndex(parent->row, 0, parent) : QModelIndex();
}

int WorkingModel::rowCount(const QModelIndex &parent) const
{
    return parent.column() > 0 ? 0 : int(nodeOf(parent)->children.size());
}

int WorkingModel::columnCount(const QModelIndex &parent) const { return parent.column() > 0 ? 0 : int(columns); }

bool WorkingModel::hasChildren(const QModelIndex &parent) const
{
    return parent.column() <= 0 && !nodeOf(parent)->line.parts.empty();
}

bool WorkingModel::canFetchMore(const QModelIndex &parent) const
{
    return hasChildren(parent) && nodeOf(parent)->children.empty();
}

void WorkingModel::fetchMore(const QModelIndex &parent)
{
    if (!canFetchMore(parent))
        return;
    auto *node = nodeOf(parent);
    beginInsertRows(parent, 0, int(node->line.parts.size()) - 1);
    for (const auto &part : node->line.parts)
        node->children.push_back(std::make_unique<Node>(
            Node{.parent = node, .row = int(node->children.size()), .symbol = part.symbol, .line = m_lines(part.key)}));
    endInsertRows();
}

QVariant WorkingModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const auto *node = nodeOf(index);
    const auto &line = node->line;
    if (role == keyRole)
        return utf8(line.key);
    if (role == recordRole)
        return line.kind ? utf8(toString(*line.kind)) + u'/' + utf8(line.recordId) : QString();
    if (role == Qt::TextAlignmentRole && index.column() == Value)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (index.column() == Source && (role == fileRole || role == copyRole))
        return localized(line.source);
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    switch (index.column()) {
    case Figure: return nameOf(node->symbol, line);
    case Value: return localized(line.value);
    case Formula:
        if (role == Qt::ToolTipRole && !line.withValues.empty())
            return tr("%1\nWith the values: %2").arg(localized(line.formula), localized(line.withValues));
        return localized(line.formula);
    case Source: return role == Qt::DisplayRole && isItsFormula(line) ? QString() : localized(line.source);
    default: return {};
    }
}

bool WorkingModel::isItsFormula(const WorkingLine &line)
{
    return line.source == byDefinition && !line.formula.empty();
}

QVariant WorkingModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columns)
        return {};
    if (role == Qt::TextAlignmentRole && section == Value)
        return QVariant(Qt::AlignRight | Qt::AlignVCenter);
    if (role == fileRole) {
        static const QStringList keys{u"figure"_s, u"value"_s, u"formula"_s, u"source"_s};
        return keys[section];
    }
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Figure: return tr("Figure");
    case Value: return tr("Value");
    case Formula: return tr("How it comes about");
    default: return tr("Source");
    }
}

} // namespace fleetwright::itemmodels
