// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

class QLineEdit;

namespace fleetwright::app {

/// The sentence beneath a field that says why its value was refused. Takes no room while there is nothing to say.
class ValidationLabel : public QLabel {
    Q_OBJECT
public:
    explicit ValidationLabel(QWidget *parent = nullptr);
    void setSentence(const QString &sentence); ///< plain text; empty hides the label
    void setNote(const QString &sentence); ///< likewise, of what is not wrong: in the colour of hints
    [[nodiscard]] QString sentence() const { return text(); }
    /// From now on the sentence is shown by somebody else, who follows sentenceChanged(): the label takes no room.
    void standAside();

signals:
    void sentenceChanged(const QString &sentence);

protected:
    void changeEvent(QEvent *event) override;

private:
    void tell(const QString &said, bool isNote);
    void colour();
    [[nodiscard]] QColor ownColour() const;

    bool m_standsAside = false, m_isNote = false;
};

/// Draws the red outline of a line edit whose text was refused, or takes it away; the style draws it, in the theme's
/// red.
void setRefusedLook(QWidget *editor, bool refused);

} // namespace fleetwright::app
