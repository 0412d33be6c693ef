import { useState } from 'react';
import { useChange, useList } from '../../api/queries';
import type { Grant } from '../../api/schema';
import { Button } from '../../ui/button';
import { Quiet, Stack } from '../../ui/layout';
import { OtherText, safeAddress, shown } from '../../ui/other-text';
import { Empty } from '../../ui/problem';
import { Rows } from '../../ui/rows';
import { When } from '../../ui/when';
import { ConfirmedAction } from './confirmed-action';
import { Line } from './line';
import { scopeWords } from './scope-words';
import { accountWords } from './words';

const words = accountWords.applications;

/** The programs that act for the person. */
export function ApplicationsTab() {
  const list = useList('GET /v1/users/me/grants', {});
  return (
    <Stack>
      <Quiet>{words.help}</Quiet>
      <Rows
        list={list}
        label={words.label}
        keyOf={({ id }) => id}
        row={(grant) => <GrantLine grant={grant} />}
        empty={<Empty>{words.none}</Empty>}
      />
    </Stack>
  );
}

function GrantLine({ grant }: { grant: Grant }) {
  const { id, client_id, client_name, scopes, created_at, expires_at } = grant;
  const [isEnding, setEnding] = useState(false);
  const end = useChange('DELETE /v1/users/me/grants/{grant_id}', ['GET /v1/users/me/grants']);
  // A client with a metadata document is known by its address.
  const host = safeAddress(client_id)?.host ?? client_id;
  const label = shown(client_name ?? host);
  return (
    <>
      <Line
        title={<OtherText>{client_name ?? host}</OtherText>}
        facts={[
          ...(client_name === null ? [] : [<OtherText key="host">{host}</OtherText>]),
          <span key="since">
            {words.since} <When at={created_at} />
          </span>,
          <span key="until">
            {accountWords.tokens.until} <When at={expires_at} />
          </span>,
          scopeWords(scopes),
        ]}
      >
        <Button aria-label={words.endOf(label)} onClick={() => setEnding(true)}>
          {words.end}
        </Button>
      </Line>
      {isEnding && (
        <ConfirmedAction
          title={words.endTitle(label)}
          action={words.end}
          change={end}
          parts={{ path: { grant_id: id } }}
          done={words.ended(label)}
          onClose={() => setEnding(false)}
        >
          <p>{words.endHelp}</p>
        </ConfirmedAction>
      )}
    </>
  );
}
