import { useState } from 'react';
import { useChange, useList } from '../../api/queries';
import type { PersonalAccessToken } from '../../api/schema';
import { date } from '../../messages/text';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Quiet, Row, Stack } from '../../ui/layout';
import { OtherText, shown } from '../../ui/other-text';
import { Empty, Problem } from '../../ui/problem';
import { Rows } from '../../ui/rows';
import { When } from '../../ui/when';
import { ConfirmedAction } from './confirmed-action';
import { CreateToken } from './create-token';
import { Line } from './line';
import { useRecentSignIn } from './recent-sign-in';
import { scopeWords } from './scope-words';
import { SignInAgain } from './sign-in-again';
import { accountWords } from './words';

const words = accountWords.tokens;

/** The access tokens of the person. Creating one takes a recent sign-in. */
export function TokensTab() {
  const list = useList('GET /v1/users/me/access-tokens', {});
  const { read, isRecent } = useRecentSignIn();
  const [isCreating, setCreating] = useState(false);
  // The form stays while it is filled in; the API says if the sign-in is too old by then.
  const mayCreate = isRecent || isCreating;
  return (
    <Stack>
      <Row between>
        <Quiet>{words.help}</Quiet>
        {mayCreate && (
          <Button look="primary" icon="plus" onClick={() => setCreating(true)}>
            {words.create}
          </Button>
        )}
      </Row>
      {read.error && <Problem error={read.error} onRetry={() => void read.refetch()} />}
      {read.data && !mayCreate && <SignInAgain />}
      <Rows
        list={list}
        label={words.label}
        keyOf={({ id }) => id}
        row={(token) => <TokenLine token={token} />}
        empty={<Empty>{words.none}</Empty>}
      />
      {isCreating && <CreateToken onClose={() => setCreating(false)} />}
    </Stack>
  );
}

function TokenLine({ token }: { token: PersonalAccessToken }) {
  const { id, name, prefix, scopes, expires_at, last_used_at, created_at } = token;
  const [isRevoking, setRevoking] = useState(false);
  const [now] = useState(() => Date.now());
  const revoke = useChange('DELETE /v1/users/me/access-tokens/{token_id}', ['GET /v1/users/me/access-tokens']);
  const label = shown(name);
  const isExpired = new Date(expires_at).getTime() <= now;
  return (
    <>
      <Line
        title={
          <>
            <OtherText>{name}</OtherText>
            {isExpired && <Badge icon="clock">{words.expired}</Badge>}
          </>
        }
        facts={[
          <code key="prefix">{prefix}…</code>,
          <span key="created">
            {accountWords.created} <When at={created_at} />
          </span>,
          ...(isExpired
            ? []
            : [
                <span key="until" title={date(expires_at)}>
                  {words.until} <When at={expires_at} />
                </span>,
              ]),
          last_used_at === null ? (
            accountWords.neverUsed
          ) : (
            <span key="used">
              {accountWords.lastUsed} <When at={last_used_at} />
            </span>
          ),
          scopeWords(scopes),
        ]}
      >
        <Button aria-label={words.revokeOf(label)} onClick={() => setRevoking(true)}>
          {words.revoke}
        </Button>
      </Line>
      {isRevoking && (
        <ConfirmedAction
          title={words.revokeTitle(label)}
          action={words.revoke}
          change={revoke}
          parts={{ path: { token_id: id } }}
          done={words.revoked(label)}
          onClose={() => setRevoking(false)}
        >
          <p>{words.revokeHelp}</p>
        </ConfirmedAction>
      )}
    </>
  );
}
