import { Link } from '@tanstack/react-router';
import { useRead } from '../../../api/queries';
import type { RoleExplanation } from '../../../api/schema';
import { date } from '../../../messages/text';
import { Badge } from '../../../ui/badge';
import { Dialog } from '../../../ui/dialog';
import { FirstOf } from '../../../ui/first-of';
import { Facts, Quiet, Section, Stack } from '../../../ui/layout';
import { OtherText, shown } from '../../../ui/other-text';
import { Loaded } from '../../../ui/problem';
import { ExplanationDrawing } from './explanation-drawing';
import { type RoleSource, sourcesOf } from './explanation-graph';
import styles from './members.module.css';
import { nameOf, reasonOf, roleName } from './reason-words';
import { sourceName } from './source-name';
import { membersWords } from './words';

const words = membersWords.explanation;

interface Props {
  orgId: string;
  /** The account, or the person of the directory. */
  personId: string;
  onClose: () => void;
}

/** Why a person has a role: a picture and a table from the person over groups and mappings to the role. */
export function RoleExplanationDialog({ orgId, personId, onClose }: Props) {
  const read = useRead('GET /v1/organisations/{org_id}/members/{user_id}/role-explanation', {
    path: { org_id: orgId, user_id: personId },
  });
  return (
    <Dialog open onClose={onClose} wide title={words.title(read.data ? nameOf(read.data) : '…')}>
      <Loaded read={read} lines={8}>
        {(explanation) => <Explanation orgId={orgId} explanation={explanation} />}
      </Loaded>
    </Dialog>
  );
}

function Explanation({ orgId, explanation }: { orgId: string; explanation: RoleExplanation }) {
  const { role, role_since, mapping, account_state, without_mapping: without, is_up_to_date } = explanation;
  const sources = sourcesOf(explanation);
  const reason = reasonOf({ reason: explanation.reason, group_name: mapping?.group_name ?? null });
  return (
    <Stack>
      <Facts
        facts={[
          [words.now, <Badge key="role">{roleName(role)}</Badge>],
          [words.reason, <bdi key="reason">{reason}</bdi>],
          [words.since, role_since === null ? undefined : date(role_since)],
          [words.directory, entryWords(explanation)],
          [words.account, membersWords.accountHelp[account_state]],
          [
            words.without,
            without ? words.withoutRole(roleName(without.role), withoutReason(without.reason)) : undefined,
          ],
        ]}
      />
      {!is_up_to_date && (
        <p>
          {words.outOfDate}{' '}
          <Link to="/organisations/$orgId/roles" params={{ orgId }} search={{ tab: 'runs' }}>
            {words.sync}
          </Link>
        </p>
      )}
      {sources.length === 0 ? (
        <p>{words.nothing}</p>
      ) : (
        <>
          <Section title={words.graph}>
            <Quiet>{words.graphHelp}</Quiet>
            <ExplanationDrawing person={nameOf(explanation)} role={role} sources={sources} />
          </Section>
          <Section title={words.table}>
            <FirstOf items={sources}>{(shownSources) => <SourceTable sources={shownSources} />}</FirstOf>
          </Section>
        </>
      )}
    </Stack>
  );
}

/** A mapping is named by its role there, and its group is in the table. */
const withoutReason = (reason: RoleExplanation['reason']): string =>
  reason === 'mapping' ? membersWords.reasonNames.mapping : reasonOf({ reason, group_name: null });

function entryWords({ directory_user: entry }: RoleExplanation): string {
  if (entry === null) return words.notInDirectory;
  const userName = shown(entry.user_name);
  if (entry.deleted_at !== null) return words.deleted(userName);
  return entry.active ? words.inDirectory(userName) : words.inactive(userName);
}

const SourceTable = ({ sources }: { sources: readonly RoleSource[] }) => (
  <div className={styles.table} role="group" aria-label={words.table} tabIndex={0}>
    <table>
      <thead>
        <tr>
          {[words.source, words.gives, words.counts, words.memberSince].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {sources.map((source) => (
          <tr key={source.key}>
            <th scope="row">
              <OtherText>{sourceName(source)}</OtherText>
            </th>
            <td>{roleName(source.role)}</td>
            <td>{source.decides ? words.decides : source.counts ? words.yes : words.no}</td>
            <td>{source.since === undefined ? '' : date(source.since)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
