import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { Me } from '../../api/me';
import { t } from '../../messages/text';
import { Button } from '../../ui/button';
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../../ui/menu';
import { shown } from '../../ui/other-text';
import { applyTheme, chosenTheme, type Theme, THEMES } from './theme';

const AskedAsCurl = lazy(() => import('./asked-as-curl'));

/** The person's own things, the theme, and the way out. */
export function AccountMenu({ me }: { me: Me }) {
  const [theme, setTheme] = useState(chosenTheme);
  const [showsCalls, setShowsCalls] = useState(false);
  const name = shown(me.name ?? me.email);
  const choose = (next: Theme) => {
    applyTheme(next);
    setTheme(next);
  };
  return (
    <>
      <Menu trigger={<Button icon="person" look="plain" aria-label={t.shell.accountMenu(name)} />}>
        <MenuItem icon="person" render={<Link to="/account" />}>
          {t.shell.account}
        </MenuItem>
        <MenuItem icon="terminal" onClick={() => setShowsCalls(true)}>
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
      {showsCalls && (
        <Suspense>
          <AskedAsCurl onClose={() => setShowsCalls(false)} />
        </Suspense>
      )}
    </>
  );
}
