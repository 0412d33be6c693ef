import { type FormEvent, useId, useRef, useState } from 'react';
import { useList } from '../../../api/queries';
import type { Bundle, PolicyHint, PolicyRole, PolicyRule, PolicySubjectKind } from '../../../api/schema';
import { listOf, number, t } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { Choice } from '../../../ui/choice';
import { Dialog } from '../../../ui/dialog';
import { SelectInput, TextInput } from '../../../ui/field';
import { focusFirstInvalid } from '../../../ui/focus-first';
import { Quiet, Row } from '../../../ui/layout';
import { shown } from '../../../ui/other-text';
import { fits } from './pattern';
import styles from './policies.module.css';
import { type KnownNames, ruleSentence } from './rule-words';
import { SubjectPicker } from './subject-picker';
import { useAllPages } from './use-all-pages';
import { rolesOf, useEntries, useMayReadGroups } from './use-subjects';
import { policiesWords } from './words';

const words = policiesWords.form;
const MAX_PATTERN = 128;
const MAX_EXAMPLES = 3;
const MAX_SUGGESTED = 200;

const NEW_RULE: PolicyRule = {
  effect: 'ALLOW',
  subject: { kind: 'everyone', role: null, id: null },
  tools: '*',
  hint: null,
  entry_id: null,
};

interface RuleDialogProps {
  bundle: Bundle;
  /** Undefined for a new one. */
  rule: PolicyRule | undefined;
  names: KnownNames;
  onApply: (rule: PolicyRule) => void;
  onClose: () => void;
}

/** The form of one rule. It changes the draft, and saves nothing. */
export function RuleDialog({ bundle, rule, names, onApply, onClose }: RuleDialogProps) {
  const [draft, setDraft] = useState<PolicyRule>(rule ?? NEW_RULE);
  const [isTried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const mayReadGroups = useMayReadGroups(bundle);
  const entries = useEntries(bundle, true);
  const { subject } = draft;
  const roles = rolesOf(bundle);

  const setKind = (kind: PolicySubjectKind) =>
    setDraft({ ...draft, subject: { kind, role: kind === 'role' ? (roles[0] ?? null) : null, id: null } });
  const kinds = (['everyone', 'role', 'group', 'person', 'token'] as const).filter(
    (kind) => kind !== 'group' || mayReadGroups || subject.kind === 'group',
  );
  const picked = subject.kind === 'everyone' || subject.kind === 'role' ? undefined : subject.kind;
  const missing = isTried && picked !== undefined && subject.id === null ? words.missing : undefined;
  const tooLong = [...draft.tools].length > MAX_PATTERN ? words.toolsLong(MAX_PATTERN) : undefined;
  const known = {
    ...names,
    entry: new Map([...names.entry, ...entries.map(({ id, name }) => [id, shown(name)] as const)]),
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if ((picked !== undefined && subject.id === null) || tooLong !== undefined) {
      requestAnimationFrame(() => focusFirstInvalid(form.current));
      return;
    }
    onApply({ ...draft, tools: draft.tools.trim() === '' ? '*' : draft.tools.trim() });
  };

  return (
    <Dialog open onClose={onClose} title={rule ? words.editTitle : words.addTitle}>
      <form ref={form} className={styles.form} onSubmit={submit} noValidate>
        <Choice
          legend={words.effect}
          value={draft.effect}
          onChange={(effect) => setDraft({ ...draft, effect })}
          options={[
            ['ALLOW', words.effects.ALLOW],
            ['DENY', words.effects.DENY],
          ]}
        />
        <SelectInput
          label={words.kind}
          value={subject.kind}
          onChange={(event) => setKind(kinds.find((kind) => kind === event.target.value) ?? 'everyone')}
          options={kinds.map((kind) => [kind, words.kinds[kind]] as const)}
          {...(bundle.org_id !== null && !mayReadGroups && { hint: words.groupsForAdmins })}
        />
        {subject.kind === 'role' && (
          <SelectInput
            label={words.role}
            value={subject.role ?? ''}
            onChange={(event) => {
              const role: PolicyRole | null = roles.find((one) => one === event.target.value) ?? null;
              setDraft({ ...draft, subject: { ...subject, role } });
            }}
            options={roles.map((role) => [role, policiesWords.rule.roles[role]] as const)}
          />
        )}
        {picked !== undefined && (
          <SubjectPicker
            bundle={bundle}
            kind={picked}
            id={subject.id}
            name={names[picked].get(subject.id ?? '')}
            onChange={(id) => setDraft({ ...draft, subject: { ...subject, id } })}
            error={missing}
          />
        )}
        <PatternInput
          bundle={bundle}
          value={draft.tools}
          entryId={draft.entry_id}
          onChange={(tools) => setDraft({ ...draft, tools })}
          error={tooLong}
        />
        <SelectInput
          label={words.hint}
          value={draft.hint ?? ''}
          onChange={(event) => {
            const hint: PolicyHint | null =
              (['read_only', 'destructive'] as const).find((one) => one === event.target.value) ?? null;
            setDraft({ ...draft, hint });
          }}
          options={[
            ['', words.anyHint],
            ['read_only', words.hints.read_only],
            ['destructive', words.hints.destructive],
          ]}
        />
        <SelectInput
          label={words.entry}
          value={draft.entry_id ?? ''}
          onChange={(event) => setDraft({ ...draft, entry_id: event.target.value === '' ? null : event.target.value })}
          options={[
            ['', words.anyEntry],
            ...entries.map(({ id, name }) => [id, shown(name)] as const),
            ...(draft.entry_id !== null && !entries.some(({ id }) => id === draft.entry_id)
              ? [[draft.entry_id, policiesWords.rule.unknownServer] as const]
              : []),
          ]}
        />
        {(picked === undefined || names[picked].has(subject.id ?? '')) && (
          <p>
            <Quiet>{words.reads}</Quiet> <bdi>{ruleSentence(draft, known, policiesWords.rule)}</bdi>
          </p>
        )}
        <Row>
          <Button type="submit" look="primary">
            {words.apply}
          </Button>
          <Button onClick={onClose}>{t.ui.cancel}</Button>
          <Quiet>{words.applyHelp}</Quiet>
        </Row>
      </form>
    </Dialog>
  );
}

interface PatternInputProps {
  bundle: Bundle;
  value: string;
  entryId: string | null;
  onChange: (pattern: string) => void;
  error: string | undefined;
}

/** A pattern of names, with what it fits now. */
function PatternInput({ bundle, value, entryId, onChange, error }: PatternInputProps) {
  const id = useId();
  const list = useList('GET /v1/bundles/{bundle_id}/tools', { path: { bundle_id: bundle.id }, query: { limit: 100 } });
  useAllPages(list, true);
  const tools = list.items.filter(
    (tool) => tool.kind === 'tool' && tool.state !== 'GONE' && (entryId === null || tool.entry_id === entryId),
  );
  const pattern = value.trim() === '' ? '*' : value.trim();
  const fitting = tools.filter(({ upstream_name }) => fits(pattern, upstream_name));
  const examples = fitting.slice(0, MAX_EXAMPLES).map(({ upstream_name }) => shown(upstream_name));
  return (
    <>
      <TextInput
        label={words.tools}
        hint={words.toolsHint}
        value={value}
        list={id}
        onChange={(event) => onChange(event.target.value)}
        error={error}
      />
      <datalist id={id}>
        {[...new Set(tools.map(({ upstream_name }) => upstream_name))].slice(0, MAX_SUGGESTED).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {list.data && (
        <div role="status">
          <Quiet>{words.matches(number(fitting.length), fitting.length, listOf(examples))}</Quiet>
        </div>
      )}
    </>
  );
}
