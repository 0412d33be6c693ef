import { useEffect, useState } from 'react';
import { Link } from '@tanstack/react-router';
import { useList, useRead } from '../../../api/queries';
import type { Bundle, BundleToolState } from '../../../api/schema';
import { Button, buttonClass } from '../../../ui/button';
import { SelectInput, TextInput } from '../../../ui/field';
import { Stack } from '../../../ui/layout';
import { Empty } from '../../../ui/problem';
import { Rows } from '../../../ui/rows';
import styles from '../bundle.module.css';
import { bundleRoute } from '../bundle-route';
import { oneOf } from '../one-of';
import { ToolRow } from './tool-row';
import { bundleWords } from '../words';

const words = bundleWords.tool;

const STATES = ['LISTED', 'CHANGED', 'NEW', 'HIDDEN', 'GONE'] as const satisfies BundleToolState[];
/** While typing, the search waits so long for the next letter. */
const PAUSE_MS = 150;

/** The tools, prompts and templates of the bundle as its clients get them. */
export function ToolsTab({ bundle }: { bundle: Bundle }) {
  const { q, state } = bundleRoute.useSearch();
  const navigate = bundleRoute.useNavigate();
  const chosen = oneOf(['', ...STATES], state);
  const path = { bundle_id: bundle.id };
  const list = useList(
    'GET /v1/bundles/{bundle_id}/tools',
    { path, query: { search: q, state: chosen === '' ? undefined : chosen, limit: 50 } },
    { keepsFormer: true },
  );
  const needs = useRead('GET /v1/bundles/{bundle_id}/credential-needs', { path, query: { limit: 100 } });
  const stateOf = new Map(needs.data?.map((need) => [need.entry_id, need.state]));
  const choose = (next: { q?: string | undefined; state?: string | undefined }) =>
    void navigate({ search: { tab: 'tools', q, state, ...next }, replace: true });
  const isFiltered = q !== undefined || chosen !== '';
  return (
    <Stack>
      <div className={styles.filters}>
        <SearchInput value={q ?? ''} onChange={(text) => choose({ q: text })} />
        <SelectInput
          label={words.state}
          value={chosen}
          onChange={(event) => choose({ state: event.target.value })}
          options={[['', words.anyState], ...STATES.map((one) => [one, words.states[one]] as const)]}
        />
      </div>
      <Rows
        list={list}
        label={words.label}
        keyOf={({ id }) => id}
        row={(tool) => <ToolRow bundleId={bundle.id} tool={tool} need={stateOf.get(tool.entry_id) ?? null} />}
        height={72}
        empty={
          isFiltered ? (
            <NoHit onClear={() => choose({ q: undefined, state: undefined })} />
          ) : (
            <NoTools bundle={bundle} />
          )
        }
      />
    </Stack>
  );
}

const NoHit = ({ onClear }: { onClear: () => void }) => (
  <Empty>
    <p>{words.noHit}</p>
    <Button onClick={onClear}>{words.clear}</Button>
  </Empty>
);

const NoTools = ({ bundle }: { bundle: Bundle }) => (
  <Empty>
    <p>{words.empty}</p>
    <p>{words.emptyHelp}</p>
    <Link
      to="/bundles/$bundleId"
      params={{ bundleId: bundle.id }}
      search={{ tab: 'accounts' }}
      className={buttonClass()}
    >
      {bundleWords.connecting.toAccounts}
    </Link>
  </Empty>
);

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
