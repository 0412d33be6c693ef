import { useState } from 'react';
import type { Bundle } from '../../../api/schema';
import { type Pick, Picker } from '../../../ui/picker';
import { usePaused } from '../../../ui/use-paused';
import { type PickedKind, useGroups, usePeople, useTokens } from './use-subjects';
import { policiesWords } from './words';

const words = policiesWords.form;
/** While typing, the search waits so long for the next letter. */
const PAUSE_MS = 150;

interface SubjectPickerProps {
  bundle: Bundle;
  kind: PickedKind;
  id: string | null;
  /** The name of what is chosen, as far as it is known. */
  name: string | undefined;
  onChange: (id: string | null) => void;
  error?: string | undefined;
}

/** A person, a group or a token, found by typing. */
export function SubjectPicker({ bundle, kind, id, name, onChange, error }: SubjectPickerProps) {
  const [typed, setTyped] = useState('');
  const begins = usePaused(typed, PAUSE_MS);
  const people = usePeople(bundle, kind === 'person');
  // The name of what is chosen is no search for others.
  const groups = useGroups(bundle, kind === 'group', begins === name ? '' : begins);
  const tokens = useTokens(bundle, kind === 'token');
  const { picks, isLoading } = { person: people, group: groups, token: tokens }[kind];
  const chosen: Pick | null =
    id === null
      ? null
      : (picks.find((pick) => pick.id === id) ?? { id, name: name ?? policiesWords.rule.unknown[kind] });
  return (
    <Picker
      key={kind}
      label={words.who[kind]}
      hint={kind === 'group' ? words.groupHint : words.whoHint}
      error={error}
      picks={picks}
      value={chosen}
      onChange={(pick) => onChange(pick?.id ?? null)}
      {...(kind === 'group' && { onType: setTyped })}
      empty={isLoading ? words.loading : words.noHit}
    />
  );
}
