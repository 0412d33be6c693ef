import type { Locator, Page } from 'playwright-core';

/** How a person works with a page. */
export const HANDS = ['mouse', 'keyboard'] as const;
export type HandsKind = (typeof HANDS)[number];

/** Nothing of a screen is further away than so many presses of Tab. */
const MAX_TABS = 250;

/** A person who works with the mouse, or with the keyboard alone. */
export class Hands {
  constructor(
    readonly page: Page,
    readonly kind: HandsKind,
  ) {}

  /** Presses a button, follows a link, or opens what is folded. */
  async press(control: Locator): Promise<void> {
    if (this.kind === 'mouse') return control.click();
    await this.reach(control);
    await this.page.keyboard.press('Enter');
  }

  async type(field: Locator, text: string): Promise<void> {
    if (this.kind === 'mouse') await field.click();
    else await this.reach(field);
    await this.page.keyboard.press('Control+a');
    await this.page.keyboard.type(text);
  }

  /** Chooses one of a few values that are all to be seen. */
  async choose(radio: Locator): Promise<void> {
    if (this.kind === 'mouse') return radio.click();
    if (await radio.isChecked()) return;
    const group = this.page.locator(`input[type="radio"][name="${await radio.getAttribute('name')}"]`);
    // Tab leads to the chosen one; where none is, to the first.
    const chosen = group.and(this.page.locator(':checked'));
    const start = (await chosen.count()) > 0 ? chosen : group.first();
    await this.reach(start);
    await this.page.keyboard.press('Space');
    await this.arrowTo(() => radio.isChecked(), 'ArrowRight');
  }

  /** Turns a switch or a check box. */
  async turn(control: Locator): Promise<void> {
    if (this.kind === 'mouse') return control.click();
    await this.reach(control);
    await this.page.keyboard.press('Space');
  }

  /** Chooses from a list of the browser, whose window no script can press: for the mouse Playwright does so itself. */
  async pick(select: Locator, label: string): Promise<void> {
    if (this.kind === 'mouse') {
      await select.selectOption({ label });
      return;
    }
    await this.reach(select);
    await this.page.keyboard.type(label);
  }

  /** Types into a field, and takes one of what it suggests. */
  async find(field: Locator, text: string, option: Locator): Promise<void> {
    await this.type(field, text);
    await option.waitFor();
    if (this.kind === 'mouse') return option.click();
    const id = (await option.getAttribute('id')) ?? '';
    await this.arrowTo(async () => (await field.getAttribute('aria-activedescendant')) === id);
    await this.page.keyboard.press('Enter');
  }

  /** Opens a menu, and runs a command of it. */
  async command(trigger: Locator, item: Locator): Promise<void> {
    await this.press(trigger);
    await item.waitFor();
    if (this.kind === 'mouse') return item.click();
    await this.arrowTo(() => this.isAt(item));
    await this.page.keyboard.press('Enter');
  }

  /** Opens a tab, of a list of tabs that Tab enters at the one that is open. */
  async turnTo(tab: Locator): Promise<void> {
    if (this.kind === 'mouse') return tab.click();
    const list = this.page.getByRole('tablist').filter({ has: tab });
    await this.reach(list.getByRole('tab', { selected: true }));
    await this.arrowTo(() => this.isAt(tab), 'ArrowRight');
    await this.page.keyboard.press('Enter');
  }

  private async isAt(control: Locator): Promise<boolean> {
    return (await control.and(this.page.locator(':focus')).count()) > 0;
  }

  private async arrowTo(isThere: () => Promise<boolean>, arrow = 'ArrowDown'): Promise<void> {
    for (let presses = 0; !(await isThere()); presses++) {
      if (presses > MAX_TABS) throw new Error('Arrow keys do not reach it.');
      await this.page.keyboard.press(arrow);
    }
  }

  /** Closes the window on top. */
  async close(): Promise<void> {
    if (this.kind === 'keyboard') await this.page.keyboard.press('Escape');
    else await this.page.getByRole('dialog').last().getByRole('button', { name: 'Close' }).click();
    await this.page.getByRole('dialog').waitFor({ state: 'detached' });
  }

  /** Presses Tab until the control has the focus. */
  async reach(control: Locator): Promise<void> {
    await control.waitFor();
    for (let presses = 0; presses <= MAX_TABS; presses++) {
      if (await this.isAt(control)) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not reach ${String(control)}.`);
  }
}
