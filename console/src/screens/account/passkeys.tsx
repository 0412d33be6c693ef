import { useState } from 'react';
import { useChange, useRead } from '../../api/queries';
import type { Passkey } from '../../api/schema';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Lines, Quiet, Row, Section } from '../../ui/layout';
import { OtherText, shown } from '../../ui/other-text';
import { Loaded } from '../../ui/problem';
import { When } from '../../ui/when';
import { AddPasskey } from './add-passkey';
import { ConfirmedAction } from './confirmed-action';
import { Line } from './line';
import { RecoveryCodes } from './recovery-codes';
import { accountWords } from './words';

const words = accountWords.passkeys;

interface PasskeysProps {
  /** Whether the person signed in just now. */
  mayChange: boolean;
}

/** The passkeys of the person, and the codes for when all are lost. */
export function Passkeys({ mayChange }: PasskeysProps) {
  const read = useRead('GET /v1/users/me/passkeys', {});
  const [codes, setCodes] = useState<string[]>();
  return (
    <Section title={words.title}>
      <p>{words.help}</p>
      <Loaded read={read}>
        {(passkeys) =>
          passkeys.length === 0 ? (
            <Quiet>{words.none}</Quiet>
          ) : (
            <Lines label={words.title}>
              {passkeys.map((passkey) => (
                <li key={passkey.id}>
                  <PasskeyLine passkey={passkey} mayChange={mayChange} />
                </li>
              ))}
            </Lines>
          )
        }
      </Loaded>
      {codes && <RecoveryCodes codes={codes} />}
      {mayChange && <AddPasskey onCodes={setCodes} />}
      {mayChange && read.data && read.data.length > 0 && <RenewCodes onCodes={setCodes} />}
    </Section>
  );
}

function PasskeyLine({ passkey, mayChange }: PasskeysProps & { passkey: Passkey }) {
  const [isRemoving, setRemoving] = useState(false);
  const remove = useChange('DELETE /v1/users/me/passkeys/{passkey_id}', [
    'GET /v1/users/me/passkeys',
    'GET /v1/users/me/sessions',
    'GET /v1/users/me/grants',
    'GET /v1/users/me/access-tokens',
  ]);
  const name = shown(passkey.name);
  return (
    <>
      <Line
        title={
          <>
            <OtherText>{passkey.name}</OtherText>
            {passkey.is_backed_up && <Badge icon="check">{words.backedUp}</Badge>}
          </>
        }
        facts={[
          <span key="created">
            {accountWords.created} <When at={passkey.created_at} />
          </span>,
          passkey.last_used_at === null ? (
            accountWords.neverUsed
          ) : (
            <span key="used">
              {accountWords.lastUsed} <When at={passkey.last_used_at} />
            </span>
          ),
        ]}
      >
        {mayChange && (
          <Button aria-label={words.removeOf(name)} onClick={() => setRemoving(true)}>
            {words.remove}
          </Button>
        )}
      </Line>
      {isRemoving && (
        <ConfirmedAction
          title={words.removeTitle}
          action={words.remove}
          change={remove}
          parts={{ path: { passkey_id: passkey.id } }}
          done={words.removed}
          onClose={() => setRemoving(false)}
        >
          <p>{name}</p>
          <p>{accountWords.ways.consequences}</p>
        </ConfirmedAction>
      )}
    </>
  );
}

function RenewCodes({ onCodes }: { onCodes: (codes: string[]) => void }) {
  const [isAsking, setAsking] = useState(false);
  const renew = useChange('POST /v1/users/me/recovery-codes', []);
  return (
    <>
      <Row>
        <Button icon="refresh" onClick={() => setAsking(true)}>
          {words.renew}
        </Button>
      </Row>
      {isAsking && (
        <ConfirmedAction
          title={words.renewTitle}
          action={words.renew}
          change={renew}
          parts={{}}
          onDone={(answer) => onCodes(answer.recovery_codes)}
          onClose={() => setAsking(false)}
        >
          <p>{words.renewHelp}</p>
        </ConfirmedAction>
      )}
    </>
  );
}
