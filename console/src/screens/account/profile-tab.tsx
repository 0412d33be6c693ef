import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Me, useSignedIn } from '../../api/me';
import { useChange } from '../../api/queries';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Facts, Lines, Section, Stack } from '../../ui/layout';
import { OtherText, shown } from '../../ui/other-text';
import { Empty } from '../../ui/problem';
import { ConfirmedAction } from './confirmed-action';
import { DeleteAccount } from './delete-account';
import { Invitations } from './invitations';
import { Line } from './line';
import { accountWords } from './words';

const words = accountWords.profile;

type Organisation = Me['organisations'][number];

/** Who the person is here, and where they belong. */
export function ProfileTab() {
  const me = useSignedIn();
  return (
    <Stack gap="wide">
      <Section title={words.you}>
        <Facts
          facts={[
            [words.name, me.name === null ? words.none : <OtherText key="name">{me.name}</OtherText>],
            [words.email, me.email === null ? words.none : <OtherText key="email">{me.email}</OtherText>],
          ]}
        />
        {me.is_platform_admin && <p>{words.admin}</p>}
      </Section>
      <Invitations />
      <Section title={words.organisations}>
        {me.organisations.length === 0 ? (
          <Empty>{words.noOrganisations}</Empty>
        ) : (
          <Lines label={words.organisations}>
            {me.organisations.map((organisation) => (
              <li key={organisation.org_id}>
                <OrganisationLine organisation={organisation} me={me} />
              </li>
            ))}
          </Lines>
        )}
      </Section>
      <DeleteAccount me={me} />
    </Stack>
  );
}

function OrganisationLine({ organisation, me }: { organisation: Organisation; me: Me }) {
  const { org_id, name, slug, role, suspended } = organisation;
  const [isLeaving, setLeaving] = useState(false);
  const leave = useChange('DELETE /v1/organisations/{org_id}/members/{user_id}', [
    'GET /v1/users/me',
    'GET /v1/users/me/invitations',
    'GET /v1/bundles',
  ]);
  const label = shown(name);
  const isActive = role !== null && !suspended;
  return (
    <>
      <Line
        title={
          <>
            <OtherText>{name}</OtherText>
            {role !== null && <Badge tone="accent">{words.roles[role]}</Badge>}
            {suspended && (
              <Badge tone="warn" icon="alert">
                {words.suspended}
              </Badge>
            )}
            {role === null && !suspended && <Badge>{words.noRole}</Badge>}
          </>
        }
        facts={[<OtherText key="slug">{slug}</OtherText>]}
      >
        {isActive && (
          <Link to="/bundles" search={{ scope: 'organisations', org: org_id }} aria-label={words.bundlesOf(label)}>
            {words.bundles}
          </Link>
        )}
        <Button aria-label={words.leaveOf(label)} onClick={() => setLeaving(true)}>
          {words.leave}
        </Button>
      </Line>
      {isLeaving && (
        <ConfirmedAction
          title={words.leaveTitle(label)}
          action={words.leave}
          change={leave}
          parts={{ path: { org_id, user_id: me.id } }}
          done={words.left(label)}
          onClose={() => setLeaving(false)}
        >
          <p>{words.leaveHelp}</p>
        </ConfirmedAction>
      )}
    </>
  );
}
