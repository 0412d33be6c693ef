import { useEffect, useState } from 'react';
import type { Answer } from '../../../api/client';
import type { BundleTool } from '../../../api/schema';
import { number } from '../../../messages/text';
import { SelectInput, TextInput } from '../../../ui/field';
import { shown } from '../../../ui/other-text';
import { bundleWords } from '../words';
import { countsFor, FINDINGS, KINDS, STATES, type ToolFilters } from './tool-filters';
import styles from './tools.module.css';
import { toolsWords } from './words';

const words = bundleWords.tool;

/** While typing, the search waits so long for the next letter. */
const PAUSE_MS = 150;

interface FilterBarProps {
  filters: ToolFilters;
  /** All tools, if they are known: then each choice says how many it would show. */
  tools: readonly BundleTool[] | undefined;
  needs: Answer<'GET /v1/bundles/{bundle_id}/credential-needs'> | undefined;
  onChange: (next: Partial<ToolFilters>) => void;
}

/** What is shown of the tools. */
export function FilterBar({ filters, tools, needs, onChange }: FilterBarProps) {
  const servers = serversOf(tools, needs);
  return (
    <div className={styles.filters}>
      <SearchInput value={filters.q ?? ''} onChange={(q) => onChange({ q: q === '' ? undefined : q })} />
      <SelectInput
        label={words.state}
        value={filters.state ?? ''}
        onChange={({ target }) => onChange({ state: STATES.find((one) => one === target.value) })}
        options={optionsOf(
          words.anyState,
          STATES.map((one) => [one, words.states[one]] as const),
          tools,
          filters,
          'state',
        )}
      />
      <SelectInput
        label={toolsWords.server}
        value={filters.entry ?? ''}
        onChange={({ target }) => onChange({ entry: target.value === '' ? undefined : target.value })}
        options={optionsOf(toolsWords.anyServer, servers, tools, filters, 'entry')}
      />
      <SelectInput
        label={toolsWords.kind}
        value={filters.kind ?? ''}
        onChange={({ target }) => onChange({ kind: KINDS.find((one) => one === target.value) })}
        options={optionsOf(
          toolsWords.anyKind,
          KINDS.map((one) => [one, toolsWords.kinds[one]] as const),
          tools,
          filters,
          'kind',
        )}
      />
      <SelectInput
        label={toolsWords.finding}
        value={filters.finding ?? ''}
        onChange={({ target }) => onChange({ finding: FINDINGS.find((one) => one === target.value) })}
        options={optionsOf(
          toolsWords.anyFinding,
          FINDINGS.map((one) => [one, toolsWords.findings[one].title] as const),
          tools,
          filters,
          'finding',
        )}
      />
    </div>
  );
}

function optionsOf<Name extends keyof ToolFilters>(
  any: string,
  values: readonly (readonly [NonNullable<ToolFilters[Name]>, string])[],
  tools: readonly BundleTool[] | undefined,
  filters: ToolFilters,
  name: Name,
): (readonly [string, string])[] {
  const counts = countsFor(
    tools ?? [],
    filters,
    name,
    values.map(([value]) => value),
  );
  const named = values.map(
    ([value, text]) => [value, tools ? toolsWords.counted(text, number(counts.get(value) ?? 0)) : text] as const,
  );
  return [['', any], ...named];
}

/** Those that have tools; of a bundle with more tools than are here, those that could have some. */
function serversOf(tools: FilterBarProps['tools'], needs: FilterBarProps['needs']): (readonly [string, string])[] {
  const known = tools
    ? tools.map(({ entry_id, entry_key }) => [entry_id, shown(entry_key)] as const)
    : (needs ?? []).map(({ entry_id, key }) => [entry_id, shown(key)] as const);
  return [...new Map(known)];
}

function SearchInput({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const [text, setText] = useState(value);
  const [former, setFormer] = useState(value);
  // The address was changed by something else, such as the button that shows all.
  if (value !== former) {
    setFormer(value);
    setText(value);
  }
  useEffect(() => {
    if (text.trim() === value) return undefined;
    const timer = setTimeout(() => onChange(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, value, onChange]);
  return (
    <TextInput
      label={words.search}
      type="search"
      isFilter
      value={text}
      onChange={(event) => setText(event.target.value)}
      maxLength={200}
    />
  );
}
