import { isObject } from '../../../../../../src/http/requests/json-object';
import { useState } from 'react';
import { useDraft } from '../../../../ui/draft';
import type { Shape } from '../form-shape';
import {
  emptyOf,
  type FormFault,
  type FormFaults,
  hasSecrets,
  parsedJson,
  type Typed,
  typedFrom,
  valueFrom,
  withoutSecrets,
} from '../form-value';

export type ArgumentsView = 'form' | 'json';

interface Draft {
  view: ArgumentsView;
  typed: Typed;
  json: string;
}

/**
 * Arguments as a form or as JSON, kept in this tab but for what looks secret.
 *
 * @param name of the draft, with what the shape depends on
 */
export function useArguments(name: string, shape: Shape) {
  const [initial] = useState<Draft>(() => ({
    view: shape.kind === 'object' ? 'form' : 'json',
    typed: emptyOf(shape),
    json: '{}',
  }));
  const [kept, keep, drop] = useDraft<Draft>(name, initial);
  // With the secrets, which the draft lacks.
  const [draft, setDraft] = useState<Draft>(kept);
  const [faults, setFaults] = useState<FormFaults>(new Map());
  const [jsonFault, setJsonFault] = useState<FormFault>();
  const [cannotShow, setCannotShow] = useState(false);
  const set = (next: Partial<Draft>) => {
    const all = { ...draft, ...next };
    setDraft(all);
    setCannotShow(false);
    keep({ ...all, typed: withoutSecrets(shape, all.typed), json: hasSecrets(shape) ? '{}' : all.json });
  };
  const valueOf = (typed: Typed, found: FormFaults): unknown => valueFrom(shape, typed, true, '', found);

  return {
    view: draft.view,
    typed: draft.typed,
    json: draft.json,
    faults,
    jsonFault,
    /** Whether the JSON says what the form cannot. */
    cannotShow,
    isDirty: JSON.stringify(draft) !== JSON.stringify(initial),
    type: (typed: Typed) => set({ typed }),
    typeJson: (json: string) => {
      setJsonFault(undefined);
      set({ json });
    },
    /** Shows the same arguments in the other way. */
    show: (view: ArgumentsView) => {
      if (view === draft.view) return;
      setFaults(new Map());
      setJsonFault(undefined);
      if (view === 'json') {
        set({ view, json: JSON.stringify(valueOf(draft.typed, new Map()) ?? {}, null, 2) });
        return;
      }
      const parsed = parsedJson(draft.json);
      const typed = parsed && (isEmpty(parsed.value) ? emptyOf(shape) : typedFrom(shape, parsed.value));
      if (typed === undefined) setCannotShow(true);
      else set({ view, typed });
    },
    /** @returns the arguments; undefined if something is wrong, which is then shown */
    read: (): Record<string, unknown> | undefined => {
      if (draft.view === 'json') {
        const parsed = parsedJson(draft.json);
        if (isObject(parsed?.value)) return parsed.value;
        setJsonFault({ code: 'json' });
        return undefined;
      }
      const found: FormFaults = new Map();
      const value = valueOf(draft.typed, found);
      setFaults(found);
      return found.size === 0 && isObject(value) ? value : undefined;
    },
    /** @returns the arguments as far as they are known, without what looks secret */
    safe: (): unknown => {
      if (draft.view === 'json') return hasSecrets(shape) ? {} : (parsedJson(draft.json)?.value ?? {});
      return valueOf(withoutSecrets(shape, draft.typed), new Map()) ?? {};
    },
    clear: () => {
      drop();
      setDraft(initial);
      setFaults(new Map());
      setJsonFault(undefined);
      setCannotShow(false);
    },
  };
}

const isEmpty = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;
