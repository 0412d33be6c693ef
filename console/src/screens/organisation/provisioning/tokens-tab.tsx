import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange, useList } from '../../../api/queries';
import type { ScimToken } from '../../../api/schema';
import { Badge } from '../../../ui/badge';
import { Button } from '../../../ui/button';
import { ConfirmDialog, Dialog } from '../../../ui/dialog';
import { Quiet, Row, Stack } from '../../../ui/layout';
import { OtherText, shown } from '../../../ui/other-text';
import { Empty, Problem } from '../../../ui/problem';
import { Rows } from '../../../ui/rows';
import { notify } from '../../../ui/toasts';
import { When } from '../../../ui/when';
import styles from './provisioning.module.css';
import { type MadeToken, NewToken } from './new-token';
import { words } from './words';
import { TokenForm } from './token-form';

const text = words.tokens;

/** The tokens of identity providers: when each was used last, and the way to revoke it. */
export function TokensTab({ orgId }: { orgId: string }) {
  const list = useList('GET /v1/organisations/{org_id}/scim/tokens', { path: { org_id: orgId }, query: { limit: 50 } });
  const [isMaking, setMaking] = useState(false);
  return (
    <Stack>
      <Row between>
        <Quiet>{text.help}</Quiet>
        <Button look="primary" icon="plus" onClick={() => setMaking(true)}>
          {words.token.create}
        </Button>
      </Row>
      <Rows
        list={list}
        label={text.label}
        keyOf={({ id }) => id}
        row={(token) => <TokenLine orgId={orgId} token={token} />}
        height={80}
        empty={
          <Empty>
            <p>{text.none}</p>
            <p>{text.noneHelp}</p>
          </Empty>
        }
      />
      {isMaking && <MakeToken orgId={orgId} onClose={() => setMaking(false)} />}
    </Stack>
  );
}

function MakeToken({ orgId, onClose }: { orgId: string; onClose: () => void }) {
  const [made, setMade] = useState<MadeToken>();
  return (
    <Dialog open onClose={onClose} title={made ? words.token.made : words.token.create}>
      {made ? <NewToken made={made} onDone={onClose} /> : <TokenForm orgId={orgId} name="" onMade={setMade} />}
    </Dialog>
  );
}

function TokenLine({ orgId, token }: { orgId: string; token: ScimToken }) {
  const [isRevoking, setRevoking] = useState(false);
  const [now] = useState(() => Date.now());
  const name = shown(token.name);
  const isExpired = token.expires_at !== null && new Date(token.expires_at).getTime() <= now;
  return (
    <div className={styles.line}>
      <Stack gap="tight">
        <Row>
          <strong>
            <OtherText>{token.name}</OtherText>
          </strong>
          <code>{token.prefix}…</code>
          {isExpired && <Badge icon="clock">{text.expired}</Badge>}
        </Row>
        <Quiet>
          {text.created} <When at={token.created_at} />
          {' · '}
          {token.expires_at === null ? (
            text.never
          ) : (
            <>
              {isExpired ? text.expired : text.expires} <When at={token.expires_at} />
            </>
          )}
          {' · '}
          {token.last_used_at === null ? (
            words.token.unused
          ) : (
            <>
              {words.token.used} <When at={token.last_used_at} />
            </>
          )}
        </Quiet>
      </Stack>
      <Row>
        <Link
          to="/organisations/$orgId/provisioning"
          params={{ orgId }}
          search={{ tab: 'calls', token: token.id }}
          aria-label={text.callsOf(name)}
        >
          {text.calls}
        </Link>
        <Button icon="trash" aria-label={text.revokeOf(name)} onClick={() => setRevoking(true)}>
          {text.revoke}
        </Button>
      </Row>
      {isRevoking && <Revoke orgId={orgId} token={token} onClose={() => setRevoking(false)} />}
    </div>
  );
}

function Revoke({ orgId, token, onClose }: { orgId: string; token: ScimToken; onClose: () => void }) {
  const name = shown(token.name);
  const revoke = useChange('DELETE /v1/organisations/{org_id}/scim/tokens/{token_id}', [
    'GET /v1/organisations/{org_id}/scim/tokens',
  ]);
  const confirm = () =>
    revoke.mutate(
      { path: { org_id: orgId, token_id: token.id } },
      {
        onSuccess: () => {
          notify(text.revoked(name));
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={text.revokeTitle(name)}
      action={text.revoke}
      busy={revoke.isPending}
      onConfirm={confirm}
    >
      <p>{text.revokeHelp}</p>
      <p>
        {token.last_used_at === null ? (
          text.revokeUnused
        ) : (
          <>
            {text.revokeUsed} <When at={token.last_used_at} />.
          </>
        )}
      </p>
      {revoke.error && <Problem error={revoke.error} />}
    </ConfirmDialog>
  );
}
