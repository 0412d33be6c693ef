import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSignedIn } from '../../api/me';
import { Empty } from '../../ui/problem';
import { Screen } from '../../ui/screen';
import { ScreenLinks } from '../../ui/screen-links';
import { platformWords as text } from './words';

interface Props {
  title: string;
  /** Beside the heading. */
  actions?: ReactNode;
  /** The content, which is rendered for administrators of the platform alone. */
  children: ReactNode;
}

/** What is around each screen of the platform. It asks nothing for people to whom the API would refuse it. */
export function PlatformFrame({ title, actions, children }: Props) {
  const me = useSignedIn();
  if (!me.is_platform_admin) {
    return (
      <Screen title={title}>
        <Empty>
          <p>{text.forAdministrators}</p>
          <p>{text.forAdministratorsHelp}</p>
        </Empty>
      </Screen>
    );
  }
  return (
    <Screen title={title} actions={actions}>
      <ScreenLinks label={text.nav}>
        <Link to="/platform/categories">{text.screens.categories}</Link>
        <Link to="/platform/imports">{text.screens.imports}</Link>
        <Link to="/platform/moderation">{text.screens.moderation}</Link>
        <Link to="/platform/people">{text.screens.people}</Link>
        <Link to="/platform/clients">{text.screens.clients}</Link>
        <Link to="/platform/health">{text.screens.health}</Link>
      </ScreenLinks>
      {children}
    </Screen>
  );
}
