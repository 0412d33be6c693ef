import { useRead } from '../../../api/queries';
import { CopyButton } from '../../../ui/copy';
import { Icon } from '../../../ui/icon';
import { Quiet, Row, Stack } from '../../../ui/layout';
import { shown } from '../../../ui/other-text';
import { Loaded } from '../../../ui/problem';
import { When } from '../../../ui/when';
import { Button } from '../../../ui/button';
import { type MadeToken, NewToken } from './new-token';
import { addressFaults, addressFor, type Provider } from './provider';
import styles from './provisioning.module.css';
import { Todo } from './todo';
import { TokenForm } from './token-form';
import { usePlace } from './use-place';
import { stepWords, words } from './words';

interface ConnectionStepProps {
  provider: Provider;
  /** The token, if it was made on this visit. */
  made: MadeToken | undefined;
  onMade: (made: MadeToken | undefined) => void;
}

/** The token, and what is entered where. */
export function ConnectionStep({ provider, made, onMade }: ConnectionStepProps) {
  const { orgId, go } = usePlace();
  const { intro, fields, todo, note } = stepWords[provider].connection;
  const settings = useRead('GET /v1/organisations/{org_id}/scim/settings', { path: { org_id: orgId } });
  return (
    <Stack>
      <Token
        provider={provider}
        made={made}
        onMade={(next) => {
          onMade(next);
          go({ token: next?.id }, true);
        }}
        onDone={() => onMade(undefined)}
      />
      <p>{intro}</p>
      <Loaded read={settings} lines={3}>
        {({ base_url: base }) => {
          const address = addressFor(provider, base);
          return (
            <Stack gap="tight">
              <dl className={styles.fields} aria-label={words.address.title}>
                <dt>{fields.address}</dt>
                <dd>
                  <Row>
                    <code>{address}</code>
                    <CopyButton text={address} what={words.address.copyAddress} />
                  </Row>
                </dd>
                {fields.others.map(({ field, value }) => [
                  <dt key={`${field} field`}>{field}</dt>,
                  <dd key={`${field} value`}>{value}</dd>,
                ])}
                <dt>{fields.token}</dt>
                <dd>{words.address.tokenValue}</dd>
              </dl>
              {addressFaults(provider, base).map((fault) => (
                <p key={fault} className={styles.mend}>
                  <span>
                    <Icon name="alert" /> {words.address.faults[fault]}
                  </span>
                </p>
              ))}
            </Stack>
          );
        }}
      </Loaded>
      <Todo todo={todo} />
      {note !== undefined && <Quiet>{note}</Quiet>}
    </Stack>
  );
}

interface TokenProps extends ConnectionStepProps {
  onDone: () => void;
}

/** The way to a token: a form, the token this once, and afterwards what became of it. */
function Token({ provider, made, onMade, onDone }: TokenProps) {
  const { orgId, search } = usePlace();
  const name = provider === 'other' ? '' : words.providers[provider].name;
  return (
    <Stack gap="tight">
      <h3>{made ? words.token.made : words.token.title}</h3>
      {made && <NewToken made={made} onDone={onDone} />}
      {!made && search.token === undefined && <TokenForm orgId={orgId} name={name} onMade={onMade} />}
      {!made && search.token !== undefined && (
        <KnownToken orgId={orgId} id={search.token} onAnother={() => onMade(undefined)} />
      )}
    </Stack>
  );
}

function KnownToken({ orgId, id, onAnother }: { orgId: string; id: string; onAnother: () => void }) {
  const token = useRead('GET /v1/organisations/{org_id}/scim/tokens/{token_id}', {
    path: { org_id: orgId, token_id: id },
  });
  return (
    <Stack gap="tight">
      <Loaded read={token} lines={1}>
        {({ name, prefix, last_used_at: used }) => (
          <Row>
            <strong>{words.token.of(shown(name), prefix)}</strong>
            <Quiet>
              {used === null ? (
                words.token.unused
              ) : (
                <>
                  {words.token.used} <When at={used} />
                </>
              )}
            </Quiet>
          </Row>
        )}
      </Loaded>
      <Quiet>{words.token.hidden}</Quiet>
      <Row>
        <Button icon="key" onClick={onAnother}>
          {words.token.another}
        </Button>
      </Row>
    </Stack>
  );
}
