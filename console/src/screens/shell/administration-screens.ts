import type { UseNavigateResult } from '@tanstack/react-router';
import { administers, type Me } from '../../api/me';
import { listOf, t } from '../../messages/text';
import { organisationWords } from '../organisation/words';
import { platformWords } from '../platform/words';
import type { Command } from './commands';

const OF_ORGANISATION = [
  ['members', '/organisations/$orgId/members'],
  ['provisioning', '/organisations/$orgId/provisioning'],
  ['roles', '/organisations/$orgId/roles'],
  ['allowList', '/organisations/$orgId/allow-list'],
  ['webhooks', '/organisations/$orgId/webhooks'],
  ['auditLog', '/organisations/$orgId/audit-log'],
] as const;

const OF_PLATFORM = [
  ['categories', '/platform/categories'],
  ['imports', '/platform/imports'],
  ['moderation', '/platform/moderation'],
  ['people', '/platform/people'],
  ['clients', '/platform/clients'],
  ['health', '/platform/health'],
] as const;

/** @returns commands that lead to the screens of organisations and of the platform that the person may see */
export function administrationScreens(me: Me, navigate: UseNavigateResult<string>): Command[] {
  const organisations = me.organisations.filter(({ role }) => role !== null);
  const labelOf = (screen: string, name: string) => (organisations.length > 1 ? listOf([screen, name]) : screen);
  return [
    ...organisations.flatMap(({ org_id: orgId, name }) =>
      OF_ORGANISATION.filter(([part]) => part === 'members' || administers(me, orgId)).map(([part, to]): Command => ({
        id: `organisation-${orgId}-${part}`,
        label: labelOf(`${t.shell.organisation}: ${organisationWords.screens[part]}`, name),
        icon: 'lock',
        run: () => void navigate({ to, params: { orgId } }),
      })),
    ),
    ...(me.is_platform_admin
      ? OF_PLATFORM.map(([part, to]): Command => ({
          id: `platform-${part}`,
          label: `${t.shell.platform}: ${platformWords.screens[part]}`,
          icon: 'shield',
          run: () => void navigate({ to }),
        }))
      : []),
  ];
}
