import { useChange, useList } from '../../api/queries';
import type { MyInvitation } from '../../api/schema';
import { Button } from '../../ui/button';
import { Quiet, Section } from '../../ui/layout';
import { OtherText, shown } from '../../ui/other-text';
import { Problem } from '../../ui/problem';
import { Rows } from '../../ui/rows';
import { notify } from '../../ui/toasts';
import { When } from '../../ui/when';
import { Line } from './line';
import { accountWords } from './words';

const words = accountWords.invitations;

const ANSWERED = ['GET /v1/users/me', 'GET /v1/users/me/invitations', 'GET /v1/users/me/waiting'] as const;

/** The organisations that the person can join. */
export function Invitations() {
  const list = useList('GET /v1/users/me/invitations', {});
  return (
    <Section title={words.title}>
      <Rows
        list={list}
        label={words.title}
        keyOf={({ id }) => id}
        row={(invitation) => <InvitationLine invitation={invitation} />}
        empty={<Quiet>{words.none}</Quiet>}
      />
    </Section>
  );
}

function InvitationLine({ invitation }: { invitation: MyInvitation }) {
  const { id, kind, name, role, status, expires_at, created_at } = invitation;
  const accept = useChange('POST /v1/users/me/invitations/{invitation_id}/accept', ANSWERED);
  const decline = useChange('POST /v1/users/me/invitations/{invitation_id}/decline', ANSWERED);
  const parts = { path: { invitation_id: id } };
  const label = shown(name);
  const isPending = status === 'PENDING';
  const isBusy = accept.isPending || decline.isPending;
  return (
    <>
      <Line
        title={<OtherText>{name}</OtherText>}
        facts={[
          ...(role === null ? [] : [words.role(accountWords.profile.roles[role])]),
          ...(kind === 'DIRECTORY' ? [words.directory] : []),
          ...(isPending ? [] : [words.declinedBefore]),
          <When key="created" at={created_at} />,
          ...(expires_at === null
            ? []
            : [
                <span key="expires">
                  {words.expires} <When at={expires_at} />
                </span>,
              ]),
        ]}
      >
        <Button
          busy={isBusy}
          aria-label={isPending ? words.acceptOf(label) : words.joinOf(label)}
          onClick={() => accept.mutate(parts, { onSuccess: () => notify(words.accepted(label)) })}
        >
          {isPending ? words.accept : words.join}
        </Button>
        {isPending && (
          <Button
            look="plain"
            busy={isBusy}
            aria-label={words.declineOf(label)}
            onClick={() => decline.mutate(parts, { onSuccess: () => notify(words.declined(label)) })}
          >
            {words.decline}
          </Button>
        )}
      </Line>
      {(accept.error ?? decline.error) && <Problem error={accept.error ?? decline.error} />}
    </>
  );
}
