import { useState } from 'react';
import type { Bundle, PolicyPreviewedKind } from '../../../api/schema';
import { Quiet, Section } from '../../../ui/layout';
import { Choice } from '../../../ui/choice';
import { SelectInput } from '../../../ui/field';
import { Empty, Loaded } from '../../../ui/problem';
import { bundleRoute } from '../bundle-route';
import { oneOf } from '../one-of';
import styles from './policies.module.css';
import type { Rules } from './policies-diff';
import { PreviewResult } from './preview-result';
import type { KnownNames } from './rule-words';
import { SubjectPicker } from './subject-picker';
import { type Place, usePreviewAfter, usePreviewNow } from './use-preview';
import { rolesOf } from './use-subjects';
import { policiesWords } from './words';

const words = policiesWords.preview;
const KINDS = ['role', 'person', 'token'] as const satisfies PolicyPreviewedKind[];

interface PreviewPartProps {
  bundle: Bundle;
  names: KnownNames;
  saved: Rules;
  /** The rules that are not saved yet; undefined if there are none. */
  proposed: Rules | undefined;
}

/** Who could use what, now and after the change. In whose place one looks is in the address. */
export function PreviewPart({ bundle, names, saved, proposed }: PreviewPartProps) {
  const { as, id } = bundleRoute.useSearch();
  const navigate = bundleRoute.useNavigate();
  const [kind, setKind] = useState<PolicyPreviewedKind>(oneOf(KINDS, as));
  const roles = rolesOf(bundle);
  const isPlace = as === kind && id !== undefined && (kind !== 'role' || roles.some((role) => role === id));
  const place: Place | undefined = isPlace ? { as: kind, id } : undefined;
  const now = usePreviewNow(bundle, place);
  const after = usePreviewAfter(bundle, place, proposed);
  const choose = (next: string | null) =>
    void navigate({
      search: { tab: 'policies', ...(next !== null && next !== '' && { as: kind, id: next }) },
      replace: true,
      resetScroll: false,
    });

  return (
    <Section title={words.title}>
      <Quiet>{words.help}</Quiet>
      <div className={styles.whose}>
        <Choice
          legend={words.as}
          value={kind}
          onChange={setKind}
          options={KINDS.map((one) => [one, words.kinds[one]] as const)}
        />
        {kind === 'role' ? (
          <SelectInput
            label={policiesWords.form.role}
            value={place?.id ?? ''}
            onChange={(event) => choose(event.target.value)}
            options={[['', words.choose], ...roles.map((role) => [role, policiesWords.rule.roles[role]] as const)]}
          />
        ) : (
          <SubjectPicker
            key={kind}
            bundle={bundle}
            kind={kind}
            id={place?.id ?? null}
            name={place && names[kind].get(place.id)}
            onChange={choose}
          />
        )}
        <Quiet>{words.noGroup}</Quiet>
      </div>
      {place === undefined ? (
        <Empty>{words.choose}</Empty>
      ) : (
        <Loaded read={now} lines={6}>
          {(before) =>
            proposed === undefined ? (
              <PreviewResult before={before} after={before} saved={saved} proposed={saved} names={names} />
            ) : (
              <Loaded read={after} lines={6}>
                {(read) => (
                  <PreviewResult before={before} after={read} saved={saved} proposed={proposed} names={names} />
                )}
              </Loaded>
            )
          }
        </Loaded>
      )}
    </Section>
  );
}
