import { lazy, Suspense, useState } from 'react';
import type { Me } from '../../api/me';
import { t } from '../../messages/text';
import { Button } from '../../ui/button';
import { shown } from '../../ui/other-text';

const loadMenu = () => import('./account-menu-items');
const Items = lazy(loadMenu);

interface Props {
  me: Me;
  onShowCalls: () => void;
}

/** The person's own things, the theme, and the way out. What is behind the button is loaded when it is needed. */
export function AccountMenu({ me, onShowCalls }: Props) {
  const [isWanted, setWanted] = useState(false);
  const label = t.shell.accountMenu(shown(me.name ?? me.email));
  const button = (
    <Button
      icon="person"
      look="plain"
      aria-label={label}
      aria-haspopup="menu"
      onPointerEnter={() => void loadMenu()}
      onFocus={() => void loadMenu()}
      onClick={() => setWanted(true)}
    />
  );
  return <Suspense fallback={button}>{isWanted ? <Items label={label} onShowCalls={onShowCalls} /> : button}</Suspense>;
}
