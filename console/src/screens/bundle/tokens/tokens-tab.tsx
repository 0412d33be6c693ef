import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useSignedIn } from '../../../api/me';
import { useChange, useList } from '../../../api/queries';
import type { Bundle, BundleAccessToken } from '../../../api/schema';
import { date } from '../../../messages/text';
import { Badge } from '../../../ui/badge';
import { Button, buttonClass } from '../../../ui/button';
import { ConfirmDialog } from '../../../ui/dialog';
import { hasDraft } from '../../../ui/draft';
import { Quiet, Row, Stack } from '../../../ui/layout';
import { OtherText, shown } from '../../../ui/other-text';
import { Empty, Problem } from '../../../ui/problem';
import { Rows } from '../../../ui/rows';
import { notify } from '../../../ui/toasts';
import { When } from '../../../ui/when';
import styles from '../bundle.module.css';
import { CreateBundleToken } from './create-bundle-token';
import { tokensWords as words } from './words';

/** The access tokens of the bundle, for those who may change it. */
export default function TokensTab({ bundle }: { bundle: Bundle }) {
  if (bundle.may_modify) return <Tokens bundle={bundle} />;
  return (
    <Empty>
      <h2>{words.forEditors}</h2>
      <p>{words.forEditorsHelp}</p>
      <Link
        to="/bundles/$bundleId"
        params={{ bundleId: bundle.id }}
        search={{ tab: 'connect' }}
        className={buttonClass()}
      >
        {words.toConnect}
      </Link>
    </Empty>
  );
}

function Tokens({ bundle }: { bundle: Bundle }) {
  const list = useList('GET /v1/bundles/{bundle_id}/access-tokens', {
    path: { bundle_id: bundle.id },
    query: { limit: 50 },
  });
  const [isCreating, setCreating] = useState(() => hasDraft(`bundle-token.${bundle.id}`));
  return (
    <Stack>
      <Row between>
        <Quiet>{words.help}</Quiet>
        <Button look="primary" icon="plus" onClick={() => setCreating(true)}>
          {words.create}
        </Button>
      </Row>
      <Rows
        list={list}
        label={words.label}
        keyOf={({ id }) => id}
        row={(token) => <TokenLine bundleId={bundle.id} token={token} />}
        height={76}
        empty={
          <Empty>
            <p>{words.none}</p>
            <p>{words.noneHelp}</p>
          </Empty>
        }
      />
      {isCreating && <CreateBundleToken bundle={bundle} onClose={() => setCreating(false)} />}
    </Stack>
  );
}

interface TokenLineProps {
  bundleId: string;
  token: BundleAccessToken;
}

function TokenLine({ bundleId, token }: TokenLineProps) {
  const me = useSignedIn();
  const [isRevoking, setRevoking] = useState(false);
  const [now] = useState(() => Date.now());
  const { id, name, prefix, scopes, expires_at: expires, last_used_at: used, created_at: created } = token;
  const isExpired = expires !== null && new Date(expires).getTime() <= now;
  return (
    <div className={styles.line}>
      <div className={styles.grow}>
        <Row>
          <span className={styles.title}>
            <OtherText>{name}</OtherText>
          </span>
          {isExpired && <Badge icon="clock">{words.expired}</Badge>}
          {!isExpired && !token.is_usable && (
            <Badge tone="warn" icon="alert">
              {words.unusable}
            </Badge>
          )}
        </Row>
        <ul className={styles.facts}>
          <li>
            <code>{prefix}…</code>
          </li>
          <li>{scopes.map((scope) => words.scopes[scope]).join(', ')}</li>
          <li>
            {words.created} <When at={created} /> {words.by}{' '}
            {token.created_by === me.id ? words.you : words.otherPerson}
          </li>
          {!isExpired && (
            <li>
              {expires === null ? (
                words.neverExpires
              ) : (
                <span title={date(expires)}>
                  {words.expires} <When at={expires} />
                </span>
              )}
            </li>
          )}
          <li>
            <LastUsed at={used} />
          </li>
        </ul>
        {!isExpired && !token.is_usable && <Quiet>{words.unusableHelp}</Quiet>}
      </div>
      <Row>
        {used !== null && (
          <Link
            to="/bundles/$bundleId"
            params={{ bundleId }}
            search={{ tab: 'calls', person: id, hours: '744' }}
            aria-label={words.callsOf(shown(name))}
          >
            {words.calls}
          </Link>
        )}
        <Button aria-label={words.revokeOf(shown(name))} onClick={() => setRevoking(true)}>
          {words.revoke}
        </Button>
      </Row>
      {isRevoking && <Revoke bundleId={bundleId} token={token} onClose={() => setRevoking(false)} />}
    </div>
  );
}

function LastUsed({ at }: { at: string | null }) {
  if (at === null) return words.neverUsed;
  return (
    <>
      {words.lastUsed} <When at={at} />
    </>
  );
}

function Revoke({ bundleId, token, onClose }: TokenLineProps & { onClose: () => void }) {
  const revoke = useChange('DELETE /v1/bundles/{bundle_id}/access-tokens/{token_id}', [
    'GET /v1/bundles/{bundle_id}/access-tokens',
  ]);
  const name = shown(token.name);
  const confirm = () =>
    revoke.mutate(
      { path: { bundle_id: bundleId, token_id: token.id } },
      {
        onSuccess: () => {
          notify(words.revoked(name));
          onClose();
        },
      },
    );
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={words.revokeTitle(name)}
      action={words.revoke}
      onConfirm={confirm}
      busy={revoke.isPending}
    >
      <p>{words.revokeHelp}</p>
      {token.last_used_at !== null && (
        <p>
          {words.revokeUsed} <When at={token.last_used_at} />.
        </p>
      )}
      {revoke.error && <Problem error={revoke.error} />}
    </ConfirmDialog>
  );
}
