import { useEffect, useRef, useState } from 'react';
import { SelectInput, TextInput } from '../../../ui/field';
import { Grid } from '../../../ui/layout';
import { ROLES } from './member-changes';
import { REASONS } from './member-filters';
import { membersWords as words } from './words';

/** How long after the last key the search begins. */
const PAUSE_MS = 250;

interface Search {
  role?: string;
  reason?: string;
  q?: string;
}

interface Props {
  /** What the address says. */
  search: Search;
  onChange: (changed: Search) => void;
}

export function MemberFilters({ search, onChange }: Props) {
  return (
    <search>
      <Grid>
        <SearchInput value={search.q ?? ''} onChange={(q) => onChange({ q })} />
        <SelectInput
          label={words.filters.role}
          value={ROLES.find((one) => one === search.role) ?? ''}
          onChange={(event) => onChange({ role: event.target.value })}
          options={[['', words.filters.anyRole], ...ROLES.map((one) => [one, words.roles[one]] as const)]}
        />
        <SelectInput
          label={words.filters.reason}
          value={REASONS.find((one) => one === search.reason) ?? ''}
          onChange={(event) => onChange({ reason: event.target.value })}
          options={[['', words.filters.anyReason], ...REASONS.map((one) => [one, words.reasonNames[one]] as const)]}
        />
      </Grid>
    </search>
  );
}

function SearchInput({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(value);
  const [former, setFormer] = useState(value);
  // The address has changed in another way, such as by the button Back.
  if (value !== former) {
    setFormer(value);
    if (value !== typed.trim()) setTyped(value);
  }
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  useEffect(() => {
    if (typed.trim() === value) return undefined;
    const timer = setTimeout(() => latest.current(typed.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, value]);
  return (
    <TextInput
      type="search"
      label={words.filters.search}
      hint={words.filters.searchHint}
      isFilter
      value={typed}
      maxLength={200}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}
