import { useSignedIn } from '../../../api/me';
import type { User } from '../../../api/schema';
import { listOf } from '../../../messages/text';
import { Badge, type Tone } from '../../../ui/badge';
import { Button } from '../../../ui/button';
import { Quiet, Row, Stack } from '../../../ui/layout';
import { Menu, MenuItem, MenuSeparator } from '../../../ui/menu';
import { OtherText, shown } from '../../../ui/other-text';
import { When } from '../../../ui/when';
import styles from '../platform.module.css';
import type { Deed } from './account-dialog';
import { reasonsOf } from './reasons';
import { words } from './words';

const TONES: Record<User['state'], Tone | undefined> = { ACTIVE: undefined, WAITING: 'warn', CLOSED: 'bad' };

interface Props {
  user: User;
  onDo: (deed: Deed) => void;
}

/** An account in the list: who it is, why it is there, and what can be done with it. */
export function AccountRow({ user, onDo }: Props) {
  const isOwn = useSignedIn().id === user.id;
  const tone = TONES[user.state];
  return (
    <div className={styles.row}>
      <Stack gap="tight">
        <Row>
          <strong>
            <bdi>{nameOf(user)}</bdi>
          </strong>
          {user.name !== null && user.email !== null && (
            <Quiet>
              <OtherText>{user.email}</OtherText>
            </Quiet>
          )}
          {user.state !== 'ACTIVE' && <Badge {...(tone && { tone })}>{words.states[user.state]}</Badge>}
          {user.is_platform_admin && (
            <Badge tone="accent" icon="shield">
              {words.administrator}
            </Badge>
          )}
          {isOwn && <Badge>{words.you}</Badge>}
        </Row>
        <span>
          <bdi>{reasonsOf(user, words, shown).join(' ')}</bdi>
        </span>
        <Facts user={user} />
      </Stack>
      {!isOwn && <Actions user={user} onDo={onDo} />}
    </div>
  );
}

/** @returns how an account is called where there is room for one name */
export function nameOf({ name, email }: User): string {
  return name === null && email === null ? words.nameless : shown(name ?? email);
}

function Facts({ user }: { user: User }) {
  const { facts, ways } = words;
  const kinds = [...new Set(user.sign_in.map(({ kind }) => ways[kind]))];
  return (
    <Quiet>
      {user.last_signed_in_at === null ? (
        facts.neverSignedIn
      ) : (
        <>
          {facts.signedIn} <When at={user.last_signed_in_at} />
        </>
      )}
      {' · '}
      {kinds.length > 0 && (
        <>
          {facts.signsInBy(listOf(kinds))}
          {' · '}
        </>
      )}
      {kinds.length === 0 && user.state === 'ACTIVE' && (
        <>
          {facts.onlyTokens}
          {' · '}
        </>
      )}
      {facts.created} <When at={user.created_at} />
      {user.closed_at !== null && (
        <>
          {' · '}
          {facts.closed} <When at={user.closed_at} />
        </>
      )}
    </Quiet>
  );
}

function Actions({ user, onDo }: Props) {
  const isClosed = user.state === 'CLOSED';
  return (
    <Menu
      trigger={
        <Button icon="down" aria-label={words.actionsOf(nameOf(user))}>
          {words.actions}
        </Button>
      }
    >
      {!isClosed && user.state === 'ACTIVE' && (
        <MenuItem icon="key" onClick={() => onDo('link')}>
          {words.link.action}
        </MenuItem>
      )}
      <MenuItem icon={isClosed ? 'person' : 'lock'} onClick={() => onDo(isClosed ? 'reopen' : 'close')}>
        {isClosed ? words.reopen.action : words.close.action}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon="trash" onClick={() => onDo('delete')}>
        {words.remove.action}
      </MenuItem>
    </Menu>
  );
}
