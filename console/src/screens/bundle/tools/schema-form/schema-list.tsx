import { Button } from '../../../../ui/button';
import { shown } from '../../../../ui/other-text';
import type { Member, Shape } from '../form-shape';
import { emptyOf, type FormFaults, type Typed } from '../form-value';
import { toolsWords } from '../words';
import { SchemaField } from './schema-field';

const words = toolsWords.form;

interface SchemaListProps {
  member: Member;
  shape: Extract<Shape, { kind: 'list' }>;
  typed: Typed;
  onChange: (typed: Typed) => void;
  path: string;
  faults: FormFaults;
}

/** Items that can be added and removed. */
export function SchemaList({ member, shape, typed, onChange, path, faults }: SchemaListProps) {
  const items = Array.isArray(typed) ? typed : [];
  const isFull = shape.most !== undefined && items.length >= shape.most;
  return (
    <>
      {items.map((item, index) => (
        <div key={index}>
          <SchemaField
            member={itemOf(member, shape.item, index)}
            typed={item}
            onChange={(next) => onChange(items.with(index, next))}
            path={`${path}.${index}`}
            faults={faults}
          />
          <Button look="plain" icon="close" onClick={() => onChange(items.toSpliced(index, 1))}>
            {words.removeItem(index + 1)}
          </Button>
        </div>
      ))}
      <div>
        <Button icon="plus" disabled={isFull} onClick={() => onChange([...items, emptyOf(shape.item)])}>
          {words.addItem(shown(member.title ?? member.name))}
        </Button>
      </div>
    </>
  );
}

const itemOf = (member: Member, shape: Shape, index: number): Member => ({
  name: words.item(index + 1),
  title: undefined,
  description: undefined,
  isRequired: true,
  isSecret: member.isSecret,
  initial: undefined,
  shape,
});
