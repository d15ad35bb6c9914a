// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/launchimportdialog.h"

#include "app/theme.h"
#include "app/widgets/itempicker.h"
#include "exchange/plandocuments.h"
#include "text/localized.h"
#include "text/utf8.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace fleetwright::app {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostSequenceTokens = 1'000'000'000;

} // namespace

LaunchImportDialog::LaunchImportDialog(
    std::string text, const QString &name, std::shared_ptr<const Catalog> catalog, QWidget *parent)
    : QDialog(parent), m_text(std::move(text)), m_catalog(std::move(catalog)), m_node(new ItemPicker(this)),
      m_fabric(new ItemPicker(this)), m_workload(new ItemPicker(this)), m_name(new QLineEdit(name, this)),
      m_nodes(new QSpinBox(this)), m_sequence(new QSpinBox(this)), m_refusal(new QLabel(this)),
      m_told(new QPlainTextEdit(this))
{
    const bool isDeepSpeed = exchange::launchFrameworkOf(m_text) == exchange::LaunchFramework::DeepSpeed;
    setWindowTitle(isDeepSpeed ? tr("Plan from a DeepSpeed configuration") : tr("Plan from Megatron-LM arguments"));
    setObjectName(u"launchImportDialog"_s);
    resize(80 * gridUnit, 70 * gridUnit);
    m_name->setObjectName(u"launchName"_s);
    m_name->setMaxLength(300);
    m_node->setObjectName(u"launchNode"_s);
    m_node->setKind(CatalogKind::Node, tr("Node"));
    m_fabric->setObjectName(u"launchFabric"_s);
    m_fabric->setKind(CatalogKind::Fabric, tr("Fabric"));
    m_workload->setObjectName(u"launchWorkload"_s);
    m_workload->setKind(CatalogKind::Workload, tr("Workload"));
    m_workload->setOptional(isDeepSpeed ? tr("(none)") : tr("(as its sizes say)"));
    for (auto *picker : {m_node, m_fabric, m_workload})
        picker->setCatalog(m_catalog);
    m_nodes->setObjectName(u"launchNodes"_s);
    m_nodes->setRange(0, mostNodes);
    m_nodes->setSpecialValueText(tr("(as the file says)"));
    m_sequence->setObjectName(u"launchSequence"_s);
    m_sequence->setRange(0, mostSequenceTokens);
    m_sequence->setSpecialValueText(tr("(not said)"));
    m_sequence->setSuffix(tr(" tokens"));
    auto *entries = new QFormLayout;
    entries->addRow(tr("&Name"), m_name);
    entries->addRow(tr("N&ode"), m_node);
    entries->addRow(tr("N&umber of nodes"), m_nodes);
    entries->addRow(tr("&Fabric"), m_fabric);
    entries->addRow(tr("&Workload"), m_workload);
    entries->addRow(tr("&Sequence length"), m_sequence);
    entries->setRowVisible(m_sequence, isDeepSpeed);
    m_refusal->setObjectName(u"launchImportRefusal"_s);
    m_refusal->setWordWrap(true);
    m_refusal->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto colours = m_refusal->palette();
    colours.setColor(QPalette::WindowText, errorColour(palette()));
    m_refusal->setPalette(colours);
    m_told->setObjectName(u"launchTold"_s);
    m_told->setAccessibleName(tr("The plan, and what it leaves out"));
    m_told->setReadOnly(true);
    m_told->setTabChangesFocus(true);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_add = buttons->addButton(tr("&Add plan"), QDialogButtonBox::AcceptRole);
    m_add->setObjectName(u"launchAdd"_s);
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(entries);
    layout->addWidget(m_refusal);
    layout->addWidget(m_told, 1);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_name, &QLineEdit::textChanged, this, &LaunchImportDialog::read);
    for (auto *count : {m_nodes, m_sequence})
        connect(count, &QSpinBox::valueChanged, this, &LaunchImportDialog::read);
    for (const auto &[picker, id] : {std::pair(m_node, &exchange::LaunchImport::node),
             {m_fabric, &exchange::LaunchImport::fabric}, {m_workload, &exchange::LaunchImport::workload}})
        connect(picker, &ItemPicker::picked, this, [this, id = id](const QString &picked) {
            m_import.*id = picked.toStdString();
            read();
        });
    read();
}

void LaunchImportDialog::read()
{
    m_import.name = m_name->text().toStdString();
    m_import.nodes = m_nodes->value() > 0 ? std::optional(m_nodes->value()) : std::nullopt;
    m_import.sequenceLength = m_sequence->value() > 0 ? std::optional(m_sequence->value()) : std::nullopt;
    const auto imported = exchange::planFromLaunch(m_text, m_import, *m_catalog);
    m_plan = imported ? std::optional(imported->plan) : std::nullopt;
    m_refusal->setText(imported ? QString() : localized(imported.error().message));
    m_refusal->setVisible(!imported);
    QStringList lines;
    if (imported) {
        for (const auto &sentence : imported->told)
            lines.append(localized(sentence));
        lines.append({QString(), utf8(exchange::planToYaml(imported->plan))});
    }
    m_told->setPlainText(lines.join(u'\n'));
    m_add->setEnabled(imported.has_value());
}

} // namespace fleetwright::app
