import type { ReactNode } from 'react';
import type { OAuthClient } from '../../../api/schema';
import { listOf } from '../../../messages/text';
import { Badge } from '../../../ui/badge';
import { Button } from '../../../ui/button';
import { Facts, Quiet, Row, Stack } from '../../../ui/layout';
import { Menu, MenuItem, MenuSeparator } from '../../../ui/menu';
import { OtherText, shown } from '../../../ui/other-text';
import { When } from '../../../ui/when';
import { scopeWords } from '../../account/scope-words';
import styles from '../platform.module.css';
import type { Deed } from './client-dialog';
import { hasSecrets, scopesOf } from './client-draft';
import { words } from './words';

const GRANTS: Record<string, string> = words.grants;
const METHODS: Record<string, string> = words.methods;

interface Props {
  client: OAuthClient;
  onDo: (deed: Deed) => void;
}

/** A client in the list: what it is, what it may do, and what that means. */
export function ClientRow({ client, onDo }: Props) {
  const isOwn = client.source !== 'REGISTRATION';
  return (
    <div className={styles.row}>
      <Stack gap="tight">
        <Row>
          <strong>
            <OtherText>{client.name}</OtherText>
          </strong>
          {!isOwn && (
            <Badge tone="warn" icon="info">
              {words.selfRegistered}
            </Badge>
          )}
          {client.is_trusted && (
            <Badge tone="accent" icon="shield">
              {words.trusted}
            </Badge>
          )}
        </Row>
        <span>
          {isOwn ? words.ownHelp : words.selfHelp} {client.is_trusted && words.trustedHelp}
        </span>
        <Facts facts={factsOf(client)} />
      </Stack>
      <Menu
        trigger={
          <Button icon="down" aria-label={words.actionsOf(shown(client.name))}>
            {words.actions}
          </Button>
        }
      >
        <MenuItem icon="pencil" onClick={() => onDo('edit')}>
          {words.edit}
        </MenuItem>
        {hasSecrets(client) && (
          <MenuItem icon="refresh" onClick={() => onDo('rotate')}>
            {words.rotate.action}
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem icon="trash" onClick={() => onDo('delete')}>
          {words.remove.action}
        </MenuItem>
      </Menu>
    </div>
  );
}

function factsOf(client: OAuthClient): readonly (readonly [string, ReactNode])[] {
  const { facts } = words;
  const grants = client.grant_types.map((grant) => GRANTS[grant] ?? grant);
  const method = client.token_endpoint_auth_method;
  return [
    [facts.asks, listOf(grants)],
    [facts.scopes, client.scope === null ? words.allScopes : scopeWords(scopesOf(client.scope))],
    [facts.auth, METHODS[method] ?? method],
    [facts.secrets, hasSecrets(client) ? <Secrets secrets={client.secrets} /> : undefined],
    [facts.redirects, addresses(client.redirect_uris)],
    [facts.logout, addresses(client.post_logout_redirect_uris)],
    [
      facts.backchannel,
      client.backchannel_logout_uri === null ? undefined : addresses([client.backchannel_logout_uri]),
    ],
    [facts.keys, client.jwks_uri === null ? undefined : addresses([client.jwks_uri])],
    [facts.id, <code>{client.id}</code>],
    [
      facts.used,
      <Quiet>
        {isUnused(client) ? facts.unused : <When at={client.last_used_at} />}, {facts.created}{' '}
        <When at={client.created_at} />
      </Quiet>,
    ],
  ];
}

/** The use is noted once a day, and begins with the creation. */
const isUnused = ({ last_used_at: used, created_at: created }: OAuthClient): boolean =>
  Date.parse(used) - Date.parse(created) < 1_000;

/** Addresses of others, which are no links: a program answers there, and no page. */
const addresses = (all: readonly string[]): ReactNode =>
  all.length === 0 ? undefined : (
    <>
      {all.map((address) => (
        <div key={address}>
          <code>
            <OtherText>{address}</OtherText>
          </code>
        </div>
      ))}
    </>
  );

function Secrets({ secrets }: Pick<OAuthClient, 'secrets'>) {
  if (secrets.length === 0) return words.none;
  return secrets.map(({ id, expires_at: expires, created_at: created }) => (
    <div key={id}>
      {words.facts.created} <When at={created} />, {expires === null ? words.secret : words.secretUntil}{' '}
      {expires !== null && <When at={expires} />}
    </div>
  ));
}
