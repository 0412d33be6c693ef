import { useState } from 'react';
import type { PolicyDecision } from '../../../api/schema';
import { number } from '../../../messages/text';
import { type Tone, Badge } from '../../../ui/badge';
import { SelectInput, TextInput } from '../../../ui/field';
import type { IconName } from '../../../ui/icon';
import { Quiet, Stack } from '../../../ui/layout';
import { OtherText } from '../../../ui/other-text';
import { Empty } from '../../../ui/problem';
import { Rows } from '../../../ui/rows';
import { wholeList } from '../../../ui/whole-list';
import bundleStyles from '../bundle.module.css';
import styles from './policies.module.css';
import type { Rules } from './policies-diff';
import { type ComparedDecision, compareDecisions, filtered, FILTERS, type Outcome, toolsOf } from './preview-diff';
import { type KnownNames, ruleSentence } from './rule-words';
import type { WholePreview } from './use-preview';
import { policiesWords } from './words';

const words = policiesWords.preview;

/** Without a change nothing is gained or lost. */
const FILTERS_NOW = ['all', 'usable', 'refused'] as const;

const LOOK: Record<Outcome, readonly [Tone | undefined, IconName]> = {
  gained: ['good', 'plus'],
  lost: ['bad', 'trash'],
  allowed: [undefined, 'check'],
  refused: [undefined, 'lock'],
};

interface PreviewResultProps {
  before: WholePreview;
  after: WholePreview;
  saved: Rules;
  proposed: Rules;
  names: KnownNames;
}

/** What a person may use, gains and loses, and why. */
export function PreviewResult({ before, after, saved, proposed, names }: PreviewResultProps) {
  const [filter, setFilter] = useState<string>('all');
  const [search, setSearch] = useState('');
  const compared = compareDecisions(before.decisions, after.decisions);
  const isChange = before !== after;
  const figures: readonly (readonly [string, string])[] = [
    [words.now, number(before.allowed)],
    ...(isChange
      ? ([
          [words.after, number(after.allowed)],
          [words.gained, number(toolsOf(compared, 'gained'))],
          [words.lost, number(toolsOf(compared, 'lost'))],
        ] as const)
      : []),
  ];
  if (compared.length === 0) return <Empty>{words.empty}</Empty>;
  const filters = isChange ? FILTERS : FILTERS_NOW;
  const chosen = FILTERS.find((one) => one === filter && (isChange || one !== 'changed')) ?? 'all';
  return (
    <Stack>
      <dl className={styles.figures} aria-live="polite">
        {figures.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className={bundleStyles.filters}>
        <TextInput
          label={words.search}
          type="search"
          isFilter
          value={search}
          maxLength={200}
          onChange={(event) => setSearch(event.target.value)}
        />
        <SelectInput
          label={words.show}
          value={chosen}
          onChange={(event) => setFilter(event.target.value)}
          options={filters.map((one) => [one, words.filters[one]] as const)}
        />
      </div>
      {after.isCut && <Quiet>{words.cut(number(after.decisions.length))}</Quiet>}
      <Rows
        list={wholeList(filtered(compared, chosen, search))}
        label={words.label}
        keyOf={({ after: { kind, entry_id, upstream_name } }) => `${kind} ${entry_id} ${upstream_name}`}
        row={(one) => <DecisionLine one={one} saved={saved} proposed={proposed} names={names} />}
        height={80}
        empty={<Empty>{words.noHit}</Empty>}
      />
    </Stack>
  );
}

type DecisionLineProps = Pick<PreviewResultProps, 'saved' | 'proposed' | 'names'> & { one: ComparedDecision };

function DecisionLine({ one: { before, after, outcome }, saved, proposed, names }: DecisionLineProps) {
  const [tone, icon] = LOOK[outcome];
  const isChanged = outcome === 'gained' || outcome === 'lost';
  return (
    <div className={bundleStyles.line}>
      <div className={bundleStyles.grow}>
        <span className={bundleStyles.title}>
          <OtherText>{after.name}</OtherText>
        </span>
        <Quiet>
          <bdi>{whyWords(after, proposed, names)}</bdi>
        </Quiet>
        {isChanged && before && (
          <Quiet>
            <bdi>{words.before(whyWords(before, saved, names))}</bdi>
          </Quiet>
        )}
      </div>
      {after.kind !== 'tool' && <Badge>{words.kindsOf[after.kind]}</Badge>}
      <Badge tone={tone} icon={icon}>
        {words.states[outcome]}
      </Badge>
    </div>
  );
}

function whyWords({ reason, rule }: PolicyDecision, { rules }: Rules, names: KnownNames): string {
  if (reason !== 'RULE') return words.why[reason];
  const decides = rule === null ? undefined : rules[rule];
  if (rule === null || !decides) return words.why.RULE(number((rule ?? 0) + 1), '');
  return words.why.RULE(number(rule + 1), ruleSentence(decides, names, policiesWords.rule));
}
