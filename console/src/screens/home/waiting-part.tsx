import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answer } from '../../api/client';
import { useChange, useRead } from '../../api/queries';
import { number, t } from '../../messages/text';
import { Button, buttonClass } from '../../ui/button';
import { Card, Lines, Quiet, Row, Section } from '../../ui/layout';
import { shown } from '../../ui/other-text';
import { Loaded, Problem } from '../../ui/problem';
import { notify } from '../../ui/toasts';
import styles from './home.module.css';

type Waiting = Answer<'GET /v1/users/me/waiting'>;
type Invitation = Waiting['invitations']['items'][number];

const text = t.home;

/** What a person sees differs once they belong to another organisation. */
const ANSWERED = [
  'GET /v1/users/me/waiting',
  'GET /v1/users/me',
  'GET /v1/users/me/invitations',
  'GET /v1/mcp/listings/highlights',
  'GET /v1/mcp/listings',
  'GET /v1/mcp/listings/facets',
  'GET /v1/bundles',
] as const;

/** What waits for the person: invitations, accounts to connect, tools to approve, requests to decide. */
export function WaitingPart() {
  const waiting = useRead('GET /v1/users/me/waiting', {});
  return (
    <Section title={text.waiting}>
      <Card>
        <Loaded read={waiting} lines={3}>
          {(found) => (found.total === 0 ? <Quiet>{text.nothingWaits}</Quiet> : <Found waiting={found} />)}
        </Loaded>
      </Card>
    </Section>
  );
}

function Found({ waiting: { invitations, accounts, tools, requests } }: { waiting: Waiting }) {
  return (
    <Lines label={text.waiting}>
      {invitations.items.map((invitation) => (
        <li key={invitation.id}>
          <InvitationLine invitation={invitation} />
        </li>
      ))}
      <Rest of={invitations} />
      {accounts.items.map(({ entry_id, bundle_id, bundle_name, listing_name }) => (
        <Line key={entry_id} words={text.account(shown(listing_name), shown(bundle_name))}>
          <Link
            to="/bundles/$bundleId"
            params={{ bundleId: bundle_id }}
            search={{ tab: 'accounts' }}
            className={buttonClass()}
          >
            {text.connect}
          </Link>
        </Line>
      ))}
      <Rest of={accounts} />
      {tools.items.map(({ bundle_id, bundle_name, count }) => (
        <Line key={bundle_id} words={text.tools(count, bounded(count), shown(bundle_name))}>
          <Link
            to="/bundles/$bundleId"
            params={{ bundleId: bundle_id }}
            search={{ tab: 'tools' }}
            className={buttonClass()}
          >
            {text.review}
          </Link>
        </Line>
      ))}
      <Rest of={tools} listed={sumOf(tools.items)} />
      {requests.items.map(({ org_id, organisation_name, count }) => (
        <Line key={org_id} words={text.requests(count, bounded(count), shown(organisation_name))}>
          <Link to="/requests" search={{ org: org_id, status: 'OPEN' }} className={buttonClass()}>
            {text.decide}
          </Link>
        </Line>
      ))}
      <Rest of={requests} listed={sumOf(requests.items)} />
    </Lines>
  );
}

const Line = ({ words, children }: { words: string; children: ReactNode }) => (
  <li>
    <div className={styles.item}>
      <bdi>{words}</bdi>
      {children}
    </div>
  </li>
);

/** Where the API stops to count. */
const MAX_COUNTED = 100;

const bounded = (count: number): string => (count < MAX_COUNTED ? number(count) : text.orMore(number(MAX_COUNTED)));

const sumOf = (items: readonly { count: number }[]): number => items.reduce((sum, { count }) => sum + count, 0);

interface RestProps {
  of: { count: number; items: readonly unknown[] };
  /** How many the rows stand for; by default one each. */
  listed?: number;
}

/** Says that there are more than are listed. */
function Rest({ of: { count, items }, listed = items.length }: RestProps) {
  return count > listed ? (
    <li>
      <Quiet>{text.more(count < MAX_COUNTED ? number(count - listed) : text.orMore(number(count - listed)))}</Quiet>
    </li>
  ) : null;
}

function InvitationLine({ invitation }: { invitation: Invitation }) {
  const { id, role, invited_by_name } = invitation;
  const organisation = shown(invitation.organisation_name);
  const accept = useChange('POST /v1/users/me/invitations/{invitation_id}/accept', ANSWERED);
  const decline = useChange('POST /v1/users/me/invitations/{invitation_id}/decline', ANSWERED);
  const path = { invitation_id: id };
  const error = accept.error ?? decline.error;
  return (
    <>
      <div className={styles.item}>
        <span>
          <bdi>{text.invitation(organisation)}</bdi>{' '}
          <Quiet>
            {role !== null && text.invitationAs[role]}{' '}
            {invited_by_name !== null && text.invitedBy(shown(invited_by_name))}
          </Quiet>
        </span>
        <Row>
          <Button
            look="primary"
            busy={accept.isPending || decline.isPending}
            aria-label={text.acceptLabel(organisation)}
            onClick={() => accept.mutate({ path }, { onSuccess: () => notify(text.accepted(organisation)) })}
          >
            {text.accept}
          </Button>
          <Button
            busy={accept.isPending || decline.isPending}
            aria-label={text.declineLabel(organisation)}
            onClick={() => decline.mutate({ path }, { onSuccess: () => notify(text.declined(organisation)) })}
          >
            {text.decline}
          </Button>
        </Row>
      </div>
      {error && <Problem error={error} />}
    </>
  );
}
