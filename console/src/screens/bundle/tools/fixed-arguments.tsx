import type { ApiProblem } from '../../../api/problem';
import { Button } from '../../../ui/button';
import { SelectInput, TextArea } from '../../../ui/field';
import { Quiet, Row } from '../../../ui/layout';
import { shown } from '../../../ui/other-text';
import type { Shape } from './form-shape';
import type { FormFaults, Typed } from './form-value';
import { type FixedDraft, fixedDraft, fixedPath, memberOf } from './rules-draft';
import { faultText } from './schema-form/fault-text';
import { SchemaField } from './schema-form/schema-field';
import styles from './tools.module.css';
import { toolsWords } from './words';

const words = toolsWords.fixed;

interface FixedArgumentsProps {
  /** What the tool takes. */
  shape: Shape;
  fixed: readonly FixedDraft[];
  onChange: (fixed: FixedDraft[]) => void;
  faults: FormFaults;
  problem: ApiProblem | undefined;
}

/** Arguments that the bundle gives a tool: clients neither see nor send them. */
export function FixedArguments({ shape, fixed, onChange, faults, problem }: FixedArgumentsProps) {
  const free =
    shape.kind === 'object' ? shape.members.filter(({ name }) => !fixed.some((one) => one.name === name)) : [];
  const set = (name: string, typed: Typed) =>
    onChange(fixed.map((one) => (one.name === name ? { ...one, typed } : one)));
  return (
    <fieldset className={styles.group}>
      <legend>{words.title}</legend>
      <Quiet>{words.help}</Quiet>
      {fixed.map((one) => {
        const member = memberOf(shape, one.name);
        const path = fixedPath(one.name);
        const error = problem?.at(path);
        const fault = faults.get(path);
        return (
          <div key={one.name}>
            {member && !one.isJson ? (
              <SchemaField
                member={{ ...member, isRequired: true }}
                typed={one.typed}
                onChange={(typed) => set(one.name, typed)}
                path={path}
                faults={faults}
                error={error}
              />
            ) : (
              <TextArea
                label={words.json(shown(one.name))}
                hint={member ? undefined : words.unknown}
                value={typeof one.typed === 'string' ? one.typed : ''}
                onChange={({ target }) => set(one.name, target.value)}
                error={fault ? faultText(fault) : error}
                required
              />
            )}
            <Button look="plain" icon="close" onClick={() => onChange(fixed.filter(({ name }) => name !== one.name))}>
              {words.free(shown(one.name))}
            </Button>
          </div>
        );
      })}
      {free.length > 0 && (
        <Row>
          <SelectInput
            label={words.add}
            value=""
            onChange={({ target }) => target.value !== '' && onChange([...fixed, fixedDraft(shape, target.value)])}
            options={[['', words.choose], ...free.map(({ name }) => [name, shown(name)] as const)]}
          />
        </Row>
      )}
      {shape.kind !== 'object' && <Quiet>{words.none}</Quiet>}
      {shape.kind === 'object' && shape.members.length === 0 && <Quiet>{words.noArguments}</Quiet>}
      {problem?.at('fixed_arguments') !== undefined && <p className={styles.error}>{problem.at('fixed_arguments')}</p>}
    </fieldset>
  );
}
