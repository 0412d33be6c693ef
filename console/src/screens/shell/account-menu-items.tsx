import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../../messages/text';
import { Button } from '../../ui/button';
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../../ui/menu';
import { applyTheme, chosenTheme, type Theme, THEMES } from './theme';

interface Props {
  label: string;
  onShowCalls: () => void;
}

/** The menu, which is open when it is first shown. */
export default function AccountMenuItems({ label, onShowCalls }: Props) {
  const [theme, setTheme] = useState(chosenTheme);
  const choose = (next: Theme) => {
    applyTheme(next);
    setTheme(next);
  };
  return (
    <Menu defaultOpen trigger={<Button icon="person" look="plain" aria-label={label} />}>
      <MenuItem icon="person" render={<Link to="/account" />}>
        {t.shell.account}
      </MenuItem>
      <MenuItem icon="terminal" onClick={onShowCalls}>
        {t.shell.asCurl}
      </MenuItem>
      <MenuItem icon="info" render={<a href="/docs">{t.shell.docs}</a>}>
        {t.shell.docs}
      </MenuItem>
      <MenuSeparator />
      <MenuChoice
        label={t.shell.theme}
        value={theme}
        onChange={choose}
        options={THEMES.map((one) => [one, t.shell.themes[one]] as const)}
      />
      <MenuSeparator />
      <MenuItem icon="out" render={<a href="/sign-out">{t.shell.signOut}</a>}>
        {t.shell.signOut}
      </MenuItem>
    </Menu>
  );
}
