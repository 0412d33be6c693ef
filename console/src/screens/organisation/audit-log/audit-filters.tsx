import type { AuditAction, AuditActor } from '../../../api/schema';
import { Button } from '../../../ui/button';
import { SelectInput, TextInput } from '../../../ui/field';
import { Row, Stack } from '../../../ui/layout';
import { actorName } from './actor-name';
import styles from './audit-log.module.css';
import { type AuditFilter, type AuditSearch, isFiltered } from './filter';
import { words } from './words';

type Changes = { [Name in keyof AuditSearch]?: string | undefined };

interface AuditFiltersProps {
  search: AuditSearch;
  filter: AuditFilter;
  actions: readonly AuditAction[];
  /** The actor that is filtered by, if an entry is there. */
  actor: AuditActor | undefined;
  onChange: (changes: Changes) => void;
}

const CLEARED: Changes = { action: undefined, actor: undefined, subject: undefined, from: undefined, to: undefined };

/** Which entries are shown, and are in the file. */
export function AuditFilters({ search, filter, actions, actor, onChange }: AuditFiltersProps) {
  const names = actions.map((action) => [action, words.actions[action]] as const);
  const actorText = `${words.actorChip} ${actor ? actorName(actor) : (filter.actor_id ?? '')}`;
  const subjectText = `${words.subjectChip} ${filter.subject_id ?? ''}`;
  return (
    <Stack gap="tight">
      <div className={styles.filters} role="group" aria-label={words.filters}>
        <SelectInput
          label={words.action}
          value={filter.action ?? ''}
          onChange={(event) => onChange({ action: event.target.value })}
          options={[['', words.anyAction], ...names]}
        />
        <TextInput
          label={words.from}
          type="date"
          isFilter
          value={search.from ?? ''}
          onChange={(event) => onChange({ from: event.target.value })}
        />
        <TextInput
          label={words.to}
          type="date"
          isFilter
          hint={words.dayHint}
          value={search.to ?? ''}
          onChange={(event) => onChange({ to: event.target.value })}
        />
      </div>
      {isFiltered(filter) && (
        <Row>
          {filter.actor_id !== undefined && (
            <Button icon="close" aria-label={words.without(actorText)} onClick={() => onChange({ actor: undefined })}>
              <bdi>{actorText}</bdi>
            </Button>
          )}
          {filter.subject_id !== undefined && (
            <Button
              icon="close"
              aria-label={words.without(subjectText)}
              onClick={() => onChange({ subject: undefined })}
            >
              {subjectText}
            </Button>
          )}
          <Button look="plain" onClick={() => onChange(CLEARED)}>
            {words.clear}
          </Button>
        </Row>
      )}
    </Stack>
  );
}
