import { useSignedIn } from '../../api/me';
import { useList } from '../../api/queries';
import type { AccountAuditEntry } from '../../api/schema';
import { date, listOf } from '../../messages/text';
import { Icon } from '../../ui/icon';
import { OtherText, shown } from '../../ui/other-text';
import { Empty } from '../../ui/problem';
import { Rows } from '../../ui/rows';
import { When } from '../../ui/when';
import { Line } from './line';
import { methodWords } from './method-words';
import { accountWords } from './words';

const words = accountWords.log;

/** What happened to the account, newest first. */
export function LogTab() {
  const list = useList('GET /v1/users/me/audit-log', { query: { limit: 50 } });
  return (
    <Rows
      list={list}
      label={words.label}
      keyOf={({ id }) => id}
      row={(entry) => <EntryLine entry={entry} />}
      height={72}
      empty={<Empty>{words.none}</Empty>}
    />
  );
}

function EntryLine({ entry }: { entry: AccountAuditEntry }) {
  const me = useSignedIn();
  const { action, actor, created_at, address, details } = entry;
  const how = methodWords(details['methods'], accountWords.sessions.methods);
  const name = details['name'];
  return (
    <Line
      title={
        <>
          {action === 'session.failed' && <Icon name="alert" />}
          {words.actions[action]}
          {typeof name === 'string' && name !== '' && <OtherText>{name}</OtherText>}
        </>
      }
      facts={[
        <span key="when">
          {date(created_at)} (<When at={created_at} />)
        </span>,
        ...(how.length > 0 ? [listOf(how.map(shown))] : []),
        ...(address === null ? [] : [accountWords.sessions.from(shown(address))]),
        ...actorFacts(actor, me.id),
      ]}
    />
  );
}

function actorFacts({ id, name, email, type }: AccountAuditEntry['actor'], ownId: string) {
  if (type === 'system') return [`${words.by} ${words.system}`];
  if (type === 'anonymous' || id === ownId) return [];
  return [
    <span key="actor">
      {words.by} <OtherText>{name ?? email}</OtherText>
    </span>,
  ];
}
