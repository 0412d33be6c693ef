import { useState } from 'react';
import { useChange, useList } from '../../api/queries';
import type { PersonSession } from '../../api/schema';
import { listOf } from '../../messages/text';
import { Badge } from '../../ui/badge';
import { Button, buttonClass } from '../../ui/button';
import { Quiet, Row, Stack } from '../../ui/layout';
import { OtherText, shown } from '../../ui/other-text';
import { Empty, Problem } from '../../ui/problem';
import { Rows } from '../../ui/rows';
import { notify } from '../../ui/toasts';
import { When } from '../../ui/when';
import { ConfirmedAction } from './confirmed-action';
import { Line } from './line';
import { methodWords } from './method-words';
import { accountWords } from './words';

const words = accountWords.sessions;

/** Where the person is signed in. */
export function SessionsTab() {
  const list = useList('GET /v1/users/me/sessions', {});
  const [isAsking, setAsking] = useState(false);
  const endAll = useChange('DELETE /v1/users/me/sessions', []);
  return (
    <Stack>
      <Row between>
        <Quiet>{words.help}</Quiet>
        <Button look="danger" icon="out" onClick={() => setAsking(true)}>
          {words.all}
        </Button>
      </Row>
      <Rows
        list={list}
        label={words.label}
        keyOf={({ id }) => id}
        row={(session) => <SessionLine session={session} />}
        empty={<Empty>{words.none}</Empty>}
      />
      {isAsking && (
        <ConfirmedAction
          title={words.allTitle}
          action={words.all}
          change={endAll}
          parts={{}}
          onDone={() => window.location.assign('/sign-in')}
          onClose={() => setAsking(false)}
        >
          <p>{words.allHelp}</p>
        </ConfirmedAction>
      )}
    </Stack>
  );
}

function SessionLine({ session }: { session: PersonSession }) {
  const { id, name, address, methods, signed_in_at, last_seen_at, expires_at, is_current } = session;
  const end = useChange('DELETE /v1/users/me/sessions/{session_id}', ['GET /v1/users/me/sessions']);
  const label = shown(name);
  const how = methodWords(methods, words.methods);
  return (
    <>
      <Line
        title={
          <>
            <OtherText>{name}</OtherText>
            {is_current && (
              <Badge tone="accent" icon="check">
                {words.current}
              </Badge>
            )}
          </>
        }
        facts={[
          words.from(shown(address)),
          ...(how.length > 0 ? [listOf(how)] : []),
          <span key="signed-in">
            {words.signedIn} <When at={signed_in_at} />
          </span>,
          <span key="used">
            {accountWords.lastUsed} <When at={last_seen_at} />
          </span>,
          <span key="expires">
            {words.expires} <When at={expires_at} />
          </span>,
        ]}
      >
        {is_current ? (
          <a className={buttonClass()} href="/sign-out" aria-label={words.endOf(label)}>
            {words.end}
          </a>
        ) : (
          <Button
            busy={end.isPending}
            aria-label={words.endOf(label)}
            onClick={() => end.mutate({ path: { session_id: id } }, { onSuccess: () => notify(words.ended(label)) })}
          >
            {words.end}
          </Button>
        )}
      </Line>
      {end.error && <Problem error={end.error} />}
    </>
  );
}
