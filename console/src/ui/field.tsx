import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';
import { t } from '../messages/text';
import styles from './field.module.css';

interface FieldProps {
  label: string;
  hint?: ReactNode;
  /** What is wrong with it, from the page or from the server (`problem.at('name')`). */
  error?: string | undefined;
  /** Whether it only changes what is shown, so that “optional” would say nothing. */
  isFilter?: boolean;
}

interface Described {
  id: string;
  className: string | undefined;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean | undefined;
}

function Field({
  label,
  hint,
  error,
  isFilter,
  required,
  children,
}: FieldProps & { required: boolean; children: (described: Described) => ReactNode }) {
  const id = useId();
  const describedBy = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`]
    .filter(Boolean)
    .join(' ');
  return (
    <div className={styles.field}>
      <label htmlFor={id}>
        {label}
        {!required && !isFilter && <span className={styles.hint}> ({t.ui.optional})</span>}
      </label>
      {children({
        id,
        className: styles.input,
        'aria-describedby': describedBy === '' ? undefined : describedBy,
        'aria-invalid': error !== undefined || undefined,
      })}
      {hint !== undefined && (
        <span className={styles.hint} id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {error !== undefined && (
        <span className={styles.error} id={`${id}-error`}>
          {error}
        </span>
      )}
    </div>
  );
}

export function TextInput({
  label,
  hint,
  error,
  isFilter,
  ...rest
}: FieldProps & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <Field label={label} hint={hint} error={error} isFilter={isFilter} required={rest.required ?? false}>
      {(described) => <input autoComplete="off" spellCheck={false} {...rest} {...described} />}
    </Field>
  );
}

export function TextArea({ label, hint, error, ...rest }: FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <Field label={label} hint={hint} error={error} required={rest.required ?? false}>
      {(described) => <textarea {...rest} {...described} />}
    </Field>
  );
}

interface SelectProps extends FieldProps, Omit<SelectHTMLAttributes<HTMLSelectElement>, 'children'> {
  /** Value and text. */
  options: readonly (readonly [string, string])[];
}

export function SelectInput({ label, hint, error, options, ...rest }: SelectProps) {
  return (
    <Field label={label} hint={hint} error={error} required={rest.required ?? true}>
      {(described) => (
        <select {...rest} {...described}>
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
