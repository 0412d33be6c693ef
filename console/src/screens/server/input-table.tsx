import { listOf } from '../../messages/text';
import { Badge } from '../../ui/badge';
import { Row, Stack } from '../../ui/layout';
import { OtherText, shown } from '../../ui/other-text';
import type { ServerInput } from './server-document';
import styles from './server.module.css';
import { words } from './words';

interface InputTableProps {
  title: string;
  inputs: readonly ServerInput[];
}

/** Arguments, variables or headers of one way to use a server. */
export function InputTable({ title, inputs }: InputTableProps) {
  if (inputs.length === 0) return null;
  return (
    <Stack gap="tight">
      <h4>{title}</h4>
      <div className={styles.scroll} tabIndex={0} role="region" aria-label={title}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{words.packages.columns.name}</th>
              <th scope="col">{words.packages.columns.value}</th>
              <th scope="col">{words.packages.columns.about}</th>
            </tr>
          </thead>
          <tbody>
            {inputs.map((input, index) => (
              <InputRow key={index} input={input} />
            ))}
          </tbody>
        </table>
      </div>
    </Stack>
  );
}

function InputRow({ input }: { input: ServerInput }) {
  return (
    <tr>
      <th scope="row">
        <Stack gap="tight">
          {input.name === undefined ? words.packages.nameless : <code>{shown(input.name)}</code>}
          <Row>
            {input.isRequired && <Badge tone="accent">{words.packages.required}</Badge>}
            {input.isSecret && <Badge icon="lock">{words.packages.secret}</Badge>}
            {input.isRepeated && <Badge>{words.packages.repeated}</Badge>}
          </Row>
        </Stack>
      </th>
      <td>
        <InputValue input={input} />
      </td>
      <td>{input.description !== undefined && <OtherText>{input.description}</OtherText>}</td>
    </tr>
  );
}

function InputValue({ input }: { input: ServerInput }) {
  if (input.value !== undefined) return <code>{shown(input.value)}</code>;
  if (input.default !== undefined) return <OtherText>{words.packages.byDefault(shown(input.default))}</OtherText>;
  if (input.choices.length > 0) return words.packages.oneOf(listOf(input.choices.map(shown)));
  return words.packages.given;
}
