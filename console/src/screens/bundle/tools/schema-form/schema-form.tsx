import type { Member } from '../form-shape';
import { emptyOf, type FormFaults, isTypedObject, type Typed } from '../form-value';
import styles from '../tools.module.css';
import { SchemaField } from './schema-field';

interface SchemaFormProps {
  members: readonly Member[];
  typed: Typed;
  onChange: (typed: Typed) => void;
  path: string;
  faults: FormFaults;
  /** What the server says is wrong, by the names of members. */
  errorAt?: (name: string) => string | undefined;
}

/** Fields for the members of an object; required ones first. */
export function SchemaForm({ members, typed, onChange, path, faults, errorAt }: SchemaFormProps) {
  const given = isTypedObject(typed) ? typed.members : {};
  const ordered = members.toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired));
  return (
    <div className={styles.form}>
      {ordered.map((member) => (
        <SchemaField
          key={member.name}
          member={member}
          typed={given[member.name] ?? emptyOf(member.shape)}
          onChange={(next) => onChange({ members: { ...given, [member.name]: next } })}
          path={path === '' ? member.name : `${path}.${member.name}`}
          faults={faults}
          error={errorAt?.(member.name)}
        />
      ))}
    </div>
  );
}
