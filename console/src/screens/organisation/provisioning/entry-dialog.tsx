import { Link } from '@tanstack/react-router';
import { useRead } from '../../../api/queries';
import type { ScimLogEntryDetail } from '../../../api/schema';
import { number } from '../../../messages/text';
import { Badge } from '../../../ui/badge';
import { CopyBlock, CopyButton } from '../../../ui/copy';
import { Dialog } from '../../../ui/dialog';
import { Facts, Row, Stack } from '../../../ui/layout';
import { shown } from '../../../ui/other-text';
import { Loaded } from '../../../ui/problem';
import { visibleJson } from '../../../ui/visible-json';
import { fullTime } from '../../bundle/calls/clock';
import { answerOf } from './answer';
import { CallNotes } from './call-row';
import { MendBox } from './mend-box';
import { providerOf, providerOfToken } from './provider';
import { usePlace } from './use-place';
import { words } from './words';

const text = words.entry;

/** One call with its request and answer; which one is in the address. */
export function EntryDialog() {
  const { search, go } = usePlace();
  if (search.entry === undefined) return null;
  return (
    <Dialog open wide onClose={() => go({ entry: undefined })} title={text.title}>
      <Entry id={search.entry} />
    </Dialog>
  );
}

function Entry({ id }: { id: string }) {
  const { orgId } = usePlace();
  const read = useRead('GET /v1/organisations/{org_id}/scim/log/{entry_id}', {
    path: { org_id: orgId, entry_id: id },
  });
  return (
    <Loaded read={read} lines={8}>
      {(entry) => <EntryContent entry={entry} />}
    </Loaded>
  );
}

function EntryContent({ entry }: { entry: ScimLogEntryDetail }) {
  const { orgId, search } = usePlace();
  const token = useRead(
    'GET /v1/organisations/{org_id}/scim/tokens/{token_id}',
    { path: { org_id: orgId, token_id: entry.token_id } },
    { enabled: entry.status !== 401 },
  );
  const provider = providerOf(search.provider) ?? providerOfToken(token.data?.name);
  const hasFailed = entry.status >= 400;
  const body = visibleJson(entry.body ?? undefined);
  const answer = visibleJson(answerOf(entry));
  return (
    <Stack>
      <MendBox call={entry} provider={provider} />
      <CallNotes call={entry} />
      <Facts
        facts={[
          [text.when, fullTime(entry.created_at)],
          [text.took, text.duration(number(entry.duration_ms))],
          [text.with, token.data ? words.token.of(shown(token.data.name), token.data.prefix) : undefined],
          [
            text.requestId,
            <Row key="id">
              <code>{shown(entry.request_id)}</code>
              <CopyButton text={entry.request_id} what={text.requestIdWhat} />
            </Row>,
          ],
        ]}
      />
      <h3>{text.request}</h3>
      <CopyBlock text={`${entry.method} ${entry.path}`} what={text.what.request} isReadOnly />
      {body === undefined ? <p>{text.noBody}</p> : <CopyBlock text={body} what={text.body} />}
      <h3>{text.answer}</h3>
      <Row>
        <Badge tone={hasFailed ? 'bad' : 'good'} icon={hasFailed ? 'alert' : 'check'}>
          {words.calls.status(String(entry.status))}
        </Badge>
        {!hasFailed && <span>{text.answerOk}</span>}
      </Row>
      {answer !== undefined && <CopyBlock text={answer} what={text.answerBody} />}
      {entry.resource_id !== null && (
        <Row>
          <span>
            {text.person}: <code>{shown(entry.resource_id)}</code>
          </span>
          <Link to="/organisations/$orgId/audit-log" params={{ orgId }}>
            {text.around}
          </Link>
        </Row>
      )}
    </Stack>
  );
}
