import { type FormEvent, useRef, useState } from 'react';
import type { Bundle } from '../../api/schema';
import { Button } from '../../ui/button';
import { TextInput } from '../../ui/field';
import { focusFirstInvalid } from '../../ui/focus-first';
import styles from './bundle.module.css';
import { bundleRoute } from './bundle-route';
import { versionNumber } from './version-changes';
import { bundleWords } from './words';

const words = bundleWords.versions;

interface CompareFormProps {
  bundle: Bundle;
  from: number | undefined;
  to: number | undefined;
}

/** Asks which two versions are compared; they are in the address then. */
export function CompareForm({ bundle, from, to }: CompareFormProps) {
  const navigate = bundleRoute.useNavigate();
  const [numbers, setNumbers] = useState([String(from ?? bundle.version - 1), String(to ?? bundle.version)] as const);
  const [isChecked, setChecked] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const errorOf = (text: string) =>
    isChecked && versionNumber(text, bundle.version) === undefined ? words.outOfRange(bundle.version) : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (numbers.every((text) => versionNumber(text, bundle.version) !== undefined))
      void navigate({ search: { tab: 'versions', version: numbers[0], with: numbers[1] } });
    // The fields have their errors after the next rendering.
    else requestAnimationFrame(() => focusFirstInvalid(form.current));
  };
  return (
    <form ref={form} onSubmit={submit} className={styles.compare} aria-label={words.compare} noValidate>
      <TextInput
        label={words.from}
        inputMode="numeric"
        value={numbers[0]}
        onChange={(event) => setNumbers([event.target.value, numbers[1]])}
        error={errorOf(numbers[0])}
        required
      />
      <TextInput
        label={words.to}
        inputMode="numeric"
        value={numbers[1]}
        onChange={(event) => setNumbers([numbers[0], event.target.value])}
        error={errorOf(numbers[1])}
        required
      />
      <Button type="submit">{words.submit}</Button>
    </form>
  );
}
