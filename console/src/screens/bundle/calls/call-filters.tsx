import type { CallStatistics } from '../../../api/schema';
import { Button } from '../../../ui/button';
import { SelectInput } from '../../../ui/field';
import { Row, Stack } from '../../../ui/layout';
import { shown } from '../../../ui/other-text';
import styles from './calls.module.css';
import type { CallSearch } from './calls-tab';
import { type CallFilter, isNarrowed, ORDERED_PERIODS, OUTCOMES } from './filter';
import type { Names } from './use-names';
import { callsWords } from './words';

const words = callsWords.filters;

interface CallFiltersProps {
  filter: CallFilter;
  names: Names;
  /** The tools that were called, if it is broken down by them. */
  statistics: CallStatistics | undefined;
  onChoose: (next: CallSearch) => void;
  /** The person is about to choose, so that names are wanted. */
  onFocus: () => void;
}

type Options = readonly (readonly [string, string])[];

/** Which calls are shown. */
export function CallFilters({ filter, names, statistics, onChoose, onFocus }: CallFiltersProps) {
  const tools = (statistics?.groups ?? []).flatMap(({ tool }) => (tool === null ? [] : [[tool, shown(tool)] as const]));
  return (
    <Stack gap="tight">
      <div className={styles.filters} role="group" aria-label={words.label} onFocus={onFocus} onPointerEnter={onFocus}>
        <SelectInput
          label={words.hours}
          value={filter.hours}
          onChange={(event) => onChoose({ hours: event.target.value })}
          options={ORDERED_PERIODS.map((hours) => [hours, words.periods[hours]] as const)}
        />
        <SelectInput
          label={words.tool}
          value={filter.tool ?? ''}
          onChange={(event) => onChoose({ tool: event.target.value })}
          options={withAll(words.everyTool, tools.toSorted(byName), filter.tool, shown)}
        />
        <SelectInput
          label={words.entry}
          value={filter.entry ?? ''}
          onChange={(event) => onChoose({ entry: event.target.value })}
          options={withAll(words.everyEntry, names.entries, filter.entry, names.ofChosenEntry)}
        />
        <SelectInput
          label={words.person}
          value={filter.person ?? ''}
          onChange={(event) => onChoose({ person: event.target.value })}
          options={withAll(words.everyPerson, names.principals, filter.person, names.ofChosenPrincipal)}
        />
        <SelectInput
          label={words.outcome}
          value={filter.outcome ?? ''}
          onChange={(event) => onChoose({ outcome: event.target.value })}
          options={[
            ['', words.everyOutcome],
            ...OUTCOMES.map((outcome) => [outcome, callsWords.outcomes[outcome]] as const),
          ]}
        />
      </div>
      {isNarrowed(filter) && (
        <Row>
          <Button
            icon="close"
            onClick={() => onChoose({ tool: undefined, entry: undefined, outcome: undefined, person: undefined })}
          >
            {words.clear}
          </Button>
        </Row>
      )}
    </Stack>
  );
}

const byName = ([, one]: readonly [string, string], [, other]: readonly [string, string]) => one.localeCompare(other);

/** The chosen one is among the options, also where the page does not know it. */
function withAll(
  all: string,
  options: Options,
  chosen: string | undefined,
  nameOf: (value: string) => string,
): Options {
  const isMissing = chosen !== undefined && !options.some(([value]) => value === chosen);
  return [['', all], ...options, ...(isMissing ? [[chosen, nameOf(chosen)] as const] : [])];
}
