import { type FormEvent, useRef, useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { ApiProblem, asProblem } from '../../../api/problem';
import { useRead } from '../../../api/queries';
import type { Bundle } from '../../../api/schema';
import { Button } from '../../../ui/button';
import { Checks } from '../../../ui/checks';
import { useDraft } from '../../../ui/draft';
import { TextArea, TextInput } from '../../../ui/field';
import { focusFirstInvalid, useFocusFirstInvalid } from '../../../ui/focus-first';
import { Quiet } from '../../../ui/layout';
import { Problem } from '../../../ui/problem';
import { notify } from '../../../ui/toasts';
import { FixedArguments } from './fixed-arguments';
import { shapeOfTool } from './form-shape';
import type { FormFaults } from './form-value';
import { type Detail, ruleTool } from './rule-tools';
import { faultsOfRules, HINTS, type RulesDraft, rulesFrom, typedRules } from './rules-draft';
import styles from './tools.module.css';
import { toolsWords } from './words';

const words = toolsWords.rules;

interface RulesFormProps {
  bundle: Bundle;
  detail: Detail;
}

/** What the bundle says of a tool: its name, texts, hints and fixed arguments. */
export function RulesForm({ bundle, detail }: RulesFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const endpoint = useRead('GET /v1/bundles/{bundle_id}/endpoint', { path: { bundle_id: bundle.id } });
  const shape = shapeOfTool(detail.definition?.['inputSchema']);
  const [initial] = useState(() => typedRules(detail, shape));
  const [draft, keep, drop] = useDraft<RulesDraft>(`tool-rules.${detail.id}`, initial);
  const [faults, setFaults] = useState<FormFaults>(new Map());
  const change = useMutation<Detail, ApiProblem, Parameters<typeof ruleTool>[2]>({
    mutationFn: (body) => ruleTool(bundle.id, detail.id, body),
    onSuccess: () => {
      drop();
      notify(words.saved);
    },
  });
  const problem = change.error ? asProblem(change.error) : undefined;
  useFocusFirstInvalid(form, problem);
  const isDirty = JSON.stringify(draft) !== JSON.stringify(initial);
  const hasRules = JSON.stringify(initial) !== JSON.stringify(typedRules(withoutRules(detail), shape));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = faultsOfRules(draft, shape);
    setFaults(found);
    // Once its errors are there.
    if (found.size > 0) requestAnimationFrame(() => focusFirstInvalid(form.current));
    else if (!change.isPending) change.mutate(rulesFrom(draft, detail, shape));
  };
  const set = (next: Partial<RulesDraft>) => keep({ ...draft, ...next });
  const budget = endpoint.data?.name_budget;
  const atName =
    problem?.at('name') ?? (problem?.status === 409 && draft.name !== initial.name ? problem.message : undefined);
  const isAtField = problem && (atName !== undefined || problem.faults.length > 0);
  return (
    <form ref={form} className={styles.form} onSubmit={submit} noValidate>
      <Quiet>{words.help}</Quiet>
      {detail.kind !== 'template' && (
        <TextInput
          label={words.name}
          hint={words.nameHint(budget)}
          value={draft.name}
          placeholder={detail.name_override === null ? detail.name : detail.upstream_name}
          onChange={({ target }) => set({ name: target.value })}
          error={faults.has('name') ? words.nameInvalid : atName}
          maxLength={64}
        />
      )}
      <TextInput
        label={words.title}
        hint={words.asServer}
        value={draft.title}
        placeholder={textOf(detail, 'title')}
        onChange={({ target }) => set({ title: target.value })}
        error={problem?.at('title')}
        maxLength={200}
      />
      <TextArea
        label={words.description}
        hint={words.descriptionHint}
        value={draft.description}
        placeholder={textOf(detail, 'description')}
        onChange={({ target }) => set({ description: target.value })}
        error={problem?.at('description')}
        maxLength={8_192}
      />
      {detail.kind === 'tool' && (
        <>
          <Checks
            legend={words.hints}
            values={draft.hints}
            onChange={(hints) => set({ hints })}
            options={HINTS.map((hint) => [hint, words.hint[hint]] as const)}
            error={problem?.at('annotations')}
          />
          <FixedArguments
            shape={shape}
            fixed={draft.fixed}
            onChange={(fixed) => set({ fixed })}
            faults={faults}
            problem={problem}
          />
        </>
      )}
      {problem && !isAtField && <Problem error={problem} />}
      <div className={styles.foot}>
        <Button type="submit" look="primary" busy={change.isPending} disabled={!isDirty}>
          {words.save}
        </Button>
        {isDirty && (
          <Button
            onClick={() => {
              drop();
              setFaults(new Map());
              change.reset();
            }}
          >
            {words.discard}
          </Button>
        )}
        {hasRules && (
          <Button
            icon="refresh"
            busy={change.isPending}
            onClick={() =>
              change.mutate({ name: null, title: null, description: null, annotations: null, fixed_arguments: null })
            }
          >
            {words.reset}
          </Button>
        )}
      </div>
    </form>
  );
}

const withoutRules = (detail: Detail): Detail => ({
  ...detail,
  name_override: null,
  title: null,
  description: null,
  annotations: null,
  fixed_arguments: null,
});

function textOf({ definition }: Detail, name: string): string | undefined {
  const text = definition?.[name];
  return typeof text === 'string' ? text.slice(0, 500) : undefined;
}
