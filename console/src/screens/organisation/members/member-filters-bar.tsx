import { SelectInput, TextInput } from '../../../ui/field';
import { Grid } from '../../../ui/layout';
import { useTyped } from '../../../ui/use-typed';
import { ROLES } from './member-changes';
import { REASONS } from './member-filters';
import { membersWords as words } from './words';

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
  const [typed, setTyped] = useTyped(value, onChange);
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
