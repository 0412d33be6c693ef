import { Link } from '@tanstack/react-router';
import { useRead } from '../../api/queries';
import { buttonClass } from '../../ui/button';
import { Card, Row, Stack } from '../../ui/layout';
import { OtherText, shown } from '../../ui/other-text';
import { Loaded } from '../../ui/problem';
import type { Bundle, VersionComparison } from '../../api/schema';
import styles from './bundle.module.css';
import { changedTools, type ToolDifference } from './tool-changes';
import { type ChangedEntry, type EntryDifference, groupsOf, toolCountOf } from './version-changes';
import { bundleWords } from './words';

const words = bundleWords.versions;

interface ComparisonProps {
  bundle: Bundle;
  from: number;
  to: number;
}

/** What differs between two versions of the bundle. */
export function Comparison({ bundle, from, to }: ComparisonProps) {
  const bundleId = bundle.id;
  const former = Math.min(from, to);
  const read = useRead('GET /v1/bundles/{bundle_id}/versions/{number}/compare', {
    path: { bundle_id: bundleId, number: from },
    query: { with: to },
  });
  return (
    <Card>
      <Stack>
        <Row between>
          <h2>{words.between(from, to)}</h2>
          <Row>
            {bundle.may_modify && former < bundle.version && (
              <Link
                to="/bundles/$bundleId"
                params={{ bundleId }}
                search={{ tab: 'versions', restore: String(former) }}
                className={buttonClass()}
              >
                {bundleWords.restoring.open(former)}
              </Link>
            )}
            <Link to="/bundles/$bundleId" params={{ bundleId }} search={{ tab: 'versions' }} className={buttonClass()}>
              {words.all}
            </Link>
          </Row>
        </Row>
        <Loaded read={read}>{(comparison) => <Differences comparison={comparison} />}</Loaded>
      </Stack>
    </Card>
  );
}

/** What differs, by how it does. */
export function Differences({
  comparison,
  isRestored = false,
}: {
  comparison: VersionComparison;
  isRestored?: boolean;
}) {
  const groups = groupsOf(comparison);
  const tools = toolCountOf(comparison);
  const hasPolicies = comparison.policies !== null;
  if (groups.length === 0 && tools === 0 && !hasPolicies) return <p>{words.same}</p>;
  return (
    <Stack>
      {groups.map(([group, entries]) => (
        <Stack key={group} gap="tight">
          <h3>{words.groups[group]}</h3>
          <ul className={styles.plainList}>
            {entries.map((entry) => (
              <li key={entry.id}>
                <EntryChange entry={entry} />
              </li>
            ))}
          </ul>
        </Stack>
      ))}
      {tools > 0 && <ToolChanges comparison={comparison} count={tools} />}
      {hasPolicies && <p>{isRestored ? words.policiesStay : words.policies}</p>}
    </Stack>
  );
}

const MAX_TOOLS = 50;

/** Which tools have other rules, and which rules. */
function ToolChanges({ comparison, count }: { comparison: VersionComparison; count: number }) {
  const tools = changedTools(comparison).slice(0, MAX_TOOLS);
  return (
    <Stack gap="tight">
      <h3>{words.tools(count)}</h3>
      <ul className={styles.plainList}>
        {tools.map(({ key, name, differences }) => (
          <li key={key}>
            <code>
              <OtherText>{name}</OtherText>
            </code>
            <ul className={styles.differences}>
              {differences.map((difference) => (
                <li key={difference.field}>
                  <ToolChange difference={difference} />
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
      {count > tools.length && <p>{words.moreTools(count - tools.length)}</p>}
    </Stack>
  );
}

function ToolChange({ difference: { field, before, after } }: { difference: ToolDifference }) {
  if (field === 'approved_digests') {
    if (after === null) return words.approvals.none;
    return before === null ? words.approvals.first : words.approvals.other;
  }
  if (field === 'is_enabled') return after === 'false' ? words.toolOff : words.toolOn;
  return (
    <>
      {words.toolFields[field]}: <del className={styles.before}>{before === null ? words.nothing : shown(before)}</del>{' '}
      <span aria-hidden="true">→</span>{' '}
      <ins className={styles.after}>{after === null ? words.nothing : shown(after)}</ins>
    </>
  );
}

const EntryChange = ({ entry }: { entry: ChangedEntry }) => (
  <>
    {entry.listingId === null ? (
      <OtherText>{entry.name ?? bundleWords.unseen}</OtherText>
    ) : (
      <Link to="/servers/$listingId" params={{ listingId: entry.listingId }}>
        <OtherText>{entry.name ?? entry.key}</OtherText>
      </Link>
    )}
    {entry.differences.length > 0 && (
      <ul className={styles.differences}>
        {entry.differences.map((difference) => (
          <li key={difference.field === 'config' ? `config.${difference.name}` : difference.field}>
            {labelOf(difference)}: <del className={styles.before}>{valueOf(difference, difference.before)}</del>{' '}
            <span aria-hidden="true">→</span>{' '}
            <ins className={styles.after}>{valueOf(difference, difference.after)}</ins>
          </li>
        ))}
      </ul>
    )}
  </>
);

function labelOf(difference: EntryDifference): string {
  return difference.field === 'config' ? words.setting(shown(difference.name)) : words.fields[difference.field];
}

function valueOf({ field }: EntryDifference, value: string | null): string {
  if (value === null) return words.nothing;
  if (field === 'version' && value.endsWith('*')) return words.follows(shown(value.slice(0, -1)));
  if (field === 'credential_mode' || field === 'pinning') return words.modes[value] ?? shown(value);
  if (field === 'position') return words.position(Number(value) + 1);
  return shown(value);
}
