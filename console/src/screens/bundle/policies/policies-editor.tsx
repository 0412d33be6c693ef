import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useChange } from '../../../api/queries';
import type { Bundle, BundlePolicies, PolicyRule } from '../../../api/schema';
import { number } from '../../../messages/text';
import { Button } from '../../../ui/button';
import { useDraft } from '../../../ui/draft';
import { ExplainedChoice } from '../../../ui/explained-choice';
import { Quiet, Row, Section, Stack } from '../../../ui/layout';
import { Problem } from '../../../ui/problem';
import { notify } from '../../../ui/toasts';
import { ENDPOINT_CHANGES } from '../endpoint/endpoint-changes';
import { ConflictPart } from './conflict-part';
import styles from './policies.module.css';
import { countOf, diffOf, merged, movedUp, type Rules } from './policies-diff';
import { PreviewPart } from './preview-part';
import { RuleDialog } from './rule-dialog';
import { RuleList } from './rule-list';
import { RulesDiffList } from './rules-diff';
import { useNames } from './use-names';
import { policiesWords } from './words';

const words = policiesWords;
const MAX_RULES = 200;
const DEFAULTS = (['ALLOW', 'READ_ONLY', 'DENY'] as const).map((value) => {
  const texts: readonly string[] = words.defaults.values[value];
  return [value, texts[0] ?? value, texts[1] ?? ''] as const;
});

/** What was changed, and of what. */
interface PoliciesDraft {
  base: Rules;
  mine: Rules;
}
const NO_DRAFT: PoliciesDraft | null = null;

/** Rules that are changed as a draft, previewed, and saved at once. */
export function PoliciesEditor({ bundle, policies }: { bundle: Bundle; policies: BundlePolicies }) {
  const [draft, keep, drop] = useDraft<PoliciesDraft | null>(`policies.${bundle.id}`, NO_DRAFT);
  // The place of the rule that is edited; that after the last for a new one.
  const [editing, setEditing] = useState<number>();
  const save = useChange('PUT /v1/bundles/{bundle_id}/policies', [
    ...ENDPOINT_CHANGES,
    'GET /v1/bundles/{bundle_id}/endpoint/preview',
  ]);
  const client = useQueryClient();
  const saved: Rules = { default_access: policies.default_access, rules: policies.rules };
  const base = draft?.base ?? saved;
  const mine = draft?.mine ?? saved;
  const diff = diffOf(base, mine);
  const theirs = diffOf(base, saved);
  const isOutdated = draft !== null && countOf(theirs) > 0;
  const names = useNames(bundle, [...mine.rules, ...base.rules, ...saved.rules]);
  const place = { bundle_id: bundle.id };

  const change = (next: Partial<Rules>) => {
    save.reset();
    const changed = { ...mine, ...next };
    if (countOf(diffOf(base, changed)) === 0 && !isOutdated) drop();
    else keep({ base, mine: changed });
  };
  const apply = (rule: PolicyRule) => {
    if (editing === undefined) return;
    const rules = [...mine.rules];
    rules[editing] = rule;
    change({ rules });
    setEditing(undefined);
  };
  const send = () =>
    save.mutate(
      {
        path: place,
        body: { default_access: mine.default_access, rules: [...mine.rules], base_version: policies.version },
      },
      {
        onSuccess: () => {
          drop();
          notify(words.changes.saved);
        },
        // Another person was faster: their rules are read, and shown beside these.
        onError: ({ status }) => {
          if (status === 409) void client.invalidateQueries({ queryKey: ['GET /v1/bundles/{bundle_id}/policies'] });
        },
      },
    );
  const merge = () => {
    const together = merged(base, mine, saved);
    save.reset();
    if (countOf(diffOf(saved, together)) === 0) drop();
    else keep({ base: saved, mine: together });
    notify(words.conflict.merged);
  };
  const take = () => {
    save.reset();
    drop();
  };
  const errors = new Map(
    (save.error?.faults ?? []).flatMap(({ loc, msg }) =>
      loc[1] === 'rules' && loc[2] !== undefined ? [[Number(loc[2]), msg] as const] : [],
    ),
  );
  const isConflict = save.error?.status === 409;

  return (
    <Stack gap="wide">
      <Quiet>{words.help}</Quiet>
      <ExplainedChoice
        legend={words.defaults.title}
        value={mine.default_access}
        onChange={(default_access) => change({ default_access })}
        options={DEFAULTS}
        error={save.error?.at('default_access')}
      />
      <Section
        title={words.rules.title}
        aside={
          <Row>
            <Quiet>{words.rules.count(number(mine.rules.length), number(MAX_RULES))}</Quiet>
            {mine.rules.length < MAX_RULES && (
              <Button icon="plus" onClick={() => setEditing(mine.rules.length)}>
                {words.rules.add}
              </Button>
            )}
          </Row>
        }
      >
        <Quiet>{words.rules.help}</Quiet>
        <RuleList
          rules={mine.rules}
          names={names}
          errors={errors}
          actions={{
            onEdit: setEditing,
            onRemove: (at) => change({ rules: mine.rules.filter((_, index) => index !== at) }),
            onUp: (at) => change({ rules: movedUp(mine.rules, at) }),
          }}
        />
      </Section>
      {(isOutdated || isConflict) && (
        <ConflictPart
          from={base}
          to={saved}
          diff={theirs}
          names={names}
          isOutdated={isOutdated}
          onMerge={merge}
          onTake={take}
        />
      )}
      {save.error && !isConflict && errors.size === 0 && <Problem error={save.error} />}
      {countOf(diff) > 0 && (
        <section className={styles.bar} aria-label={words.changes.title}>
          <strong role="status">{words.changes.count(number(countOf(diff)), countOf(diff))}</strong>
          <RulesDiffList from={base} to={mine} diff={diff} names={names} />
          <Quiet>{words.changes.previewFirst}</Quiet>
          <Row>
            {!isOutdated && (
              <Button look="primary" busy={save.isPending} onClick={send}>
                {words.changes.save}
              </Button>
            )}
            <Button onClick={take}>{words.changes.discard}</Button>
          </Row>
        </section>
      )}
      <PreviewPart bundle={bundle} names={names} saved={saved} proposed={countOf(diff) > 0 ? mine : undefined} />
      {editing !== undefined && (
        <RuleDialog
          bundle={bundle}
          rule={mine.rules[editing]}
          names={names}
          onApply={apply}
          onClose={() => setEditing(undefined)}
        />
      )}
    </Stack>
  );
}
