import { useState } from 'react';
import { useChange } from '../../api/queries';
import type { Bundle, CredentialNeed, CredentialState } from '../../api/schema';
import { listOf } from '../../messages/text';
import { Badge, type Tone } from '../../ui/badge';
import { Button, type ButtonProps } from '../../ui/button';
import { ConfirmDialog } from '../../ui/dialog';
import type { IconName } from '../../ui/icon';
import { Quiet, Row } from '../../ui/layout';
import { shown } from '../../ui/other-text';
import { Problem } from '../../ui/problem';
import { notify } from '../../ui/toasts';
import styles from './bundle.module.css';
import { actionsOf, type NeedAction, type NeedOwner, stateOf } from './need-actions';
import { SecretsDialog } from './secrets-dialog';
import { bundleWords } from './words';

const words = bundleWords.need;

const NEEDS = ['GET /v1/bundles/{bundle_id}/credential-needs'] as const;

const LOOK: Record<CredentialState, readonly [Tone, IconName]> = {
  CONNECTED: ['good', 'check'],
  MISSING: ['warn', 'alert'],
  RECONNECT: ['bad', 'refresh'],
  ORIGIN_CHANGED: ['bad', 'alert'],
};

interface NeededAccountProps {
  bundle: Bundle;
  need: CredentialNeed;
  owner: NeedOwner;
}

/** An account that the server of an entry can use: the person's, or the one that everyone shares. */
export function NeededAccount({ bundle, need, owner }: NeededAccountProps) {
  const [dialog, setDialog] = useState<'secrets' | 'disconnect'>();
  const connect = useChange('POST /v1/credentials/connect', []);
  const change = useChange('PATCH /v1/credentials/{credential_id}', NEEDS);
  const credential = owner === 'PERSON' ? need.personal : need.shared;
  const state = stateOf(need, owner);
  const actions = actionsOf(need, owner, bundle.may_modify);
  const who = owner === 'PERSON' ? words.yours : words.shared;
  const [tone, icon] = LOOK[state];

  const goToConnect = () =>
    connect.mutate(
      { body: { bundle_id: bundle.id, entry_id: need.entry_id, owner } },
      { onSuccess: ({ url }) => window.location.assign(url) },
    );
  const confirmMove = () => {
    if (!credential?.id || need.origin === null) return;
    change.mutate(
      { path: { credential_id: credential.id }, body: { origin: need.origin } },
      { onSuccess: () => notify(words.confirmed) },
    );
  };
  const buttons: Record<NeedAction, ButtonProps> = {
    connect: {
      children: words.connect,
      icon: 'plug',
      busy: connect.isPending || connect.isSuccess,
      onClick: goToConnect,
    },
    'connect-again': {
      children: words.connectAgain,
      icon: 'refresh',
      busy: connect.isPending || connect.isSuccess,
      onClick: goToConnect,
    },
    give: { children: words.give, icon: 'key', onClick: () => setDialog('secrets') },
    change: { children: words.change, icon: 'key', onClick: () => setDialog('secrets') },
    'confirm-move': { children: words.confirmMove, icon: 'check', busy: change.isPending, onClick: confirmMove },
    disconnect: { children: words.disconnect, look: 'plain', onClick: () => setDialog('disconnect') },
  };

  return (
    <div className={styles.part} role="group" aria-label={words.connectOf(shown(need.key), who)}>
      <Row between>
        <Row>
          <strong>{who}</strong>
          <Badge tone={tone} icon={icon}>
            {words.states[state]}
          </Badge>
        </Row>
        {actions.length > 0 && (
          <Row>
            {actions.map((action) => (
              <Button key={action} {...buttons[action]} />
            ))}
          </Row>
        )}
      </Row>
      {state === 'ORIGIN_CHANGED' && credential && need.origin !== null && (
        <p>
          {credential.kind === 'OAUTH'
            ? words.movedTokens(shown(need.origin))
            : words.moved(shown(credential.origin), shown(need.origin))}
        </p>
      )}
      {credential && credential.values.length > 0 && (
        <Quiet>{words.values(listOf(credential.values.map(({ name }) => shown(name))))}</Quiet>
      )}
      {owner === 'BUNDLE' && actions.length === 0 && (
        <Quiet>{credential ? words.sharedByOthers : words.sharedMissing}</Quiet>
      )}
      {connect.error && <Problem error={connect.error} />}
      {change.error && <Problem error={change.error} />}
      {dialog === 'secrets' && (
        <SecretsDialog bundle={bundle} need={need} owner={owner} onClose={() => setDialog(undefined)} />
      )}
      {dialog === 'disconnect' && credential?.id && (
        <Disconnect id={credential.id} need={need} owner={owner} onClose={() => setDialog(undefined)} />
      )}
    </div>
  );
}

interface DisconnectProps extends Pick<NeededAccountProps, 'need' | 'owner'> {
  id: string;
  onClose: () => void;
}

function Disconnect({ id, need, owner, onClose }: DisconnectProps) {
  const remove = useChange('DELETE /v1/credentials/{credential_id}', NEEDS);
  const confirm = () =>
    remove.mutate(
      { path: { credential_id: id } },
      {
        onSuccess: () => {
          notify(words.disconnected);
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={words.disconnectTitle}
      action={words.disconnect}
      onConfirm={confirm}
      busy={remove.isPending}
    >
      <p>{words.disconnectHelp(shown(need.key))}</p>
      {owner === 'BUNDLE' && <p>{words.disconnectShared}</p>}
      {remove.error && <Problem error={remove.error} />}
    </ConfirmDialog>
  );
}
