import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { useRead } from '../../../api/queries';
import type { Bundle } from '../../../api/schema';
import { Badge } from '../../../ui/badge';
import { buttonClass } from '../../../ui/button';
import { Quiet, Row, Stack } from '../../../ui/layout';
import { OtherText, shown } from '../../../ui/other-text';
import { Loaded } from '../../../ui/problem';
import { Tabs } from '../../../ui/tabs';
import { bundleRoute } from '../bundle-route';
import { oneOf } from '../one-of';
import { bundleWords } from '../words';
import { Findings } from './findings';
import { HeldNote } from './held-note';
import type { Detail } from './rule-tools';
import { RulesForm } from './rules-form';
import { StateBadge } from './state-badge';
import { ToolDefinition } from './tool-definition';
import { ToolSwitch } from './tool-switch';
import styles from './tools.module.css';
import { TryTool } from './trial/try-tool';
import { toolsWords as words } from './words';

interface ToolPageProps {
  bundle: Bundle;
  toolId: string;
}

/** One tool: what clients get of it beside what its server offers, what the bundle says of it, and a try. */
export function ToolPage({ bundle, toolId }: ToolPageProps) {
  const read = useRead('GET /v1/bundles/{bundle_id}/tools/{tool_id}', {
    path: { bundle_id: bundle.id, tool_id: toolId },
  });
  return (
    <Stack>
      <div>
        <Link
          to="/bundles/$bundleId"
          params={{ bundleId: bundle.id }}
          search={(former) => ({ ...former, tool: undefined, view: undefined })}
          className={buttonClass()}
        >
          {words.back}
        </Link>
      </div>
      <Loaded read={read} lines={8}>
        {(detail) => <Content bundle={bundle} detail={detail} />}
      </Loaded>
    </Stack>
  );
}

const VIEWS = ['clients', 'rules', 'try'] as const;
type View = (typeof VIEWS)[number];

function Content({ bundle, detail }: { bundle: Bundle; detail: Detail }) {
  const { view } = bundleRoute.useSearch();
  const navigate = bundleRoute.useNavigate();
  const contents: Record<View, () => ReactNode> = {
    clients: () => <Sides detail={detail} />,
    // A new form for what was saved.
    rules: () => <RulesForm key={rulesOf(detail)} bundle={bundle} detail={detail} />,
    try: () => <TryTool bundle={bundle} detail={detail} />,
  };
  const views: readonly View[] = VIEWS.filter(
    (one) => (one !== 'rules' || bundle.may_modify) && (one !== 'try' || detail.kind === 'tool'),
  );
  const chosen = oneOf(VIEWS, view);
  return (
    <>
      <Row between>
        <Stack gap="tight">
          <h2>
            <code>{shown(detail.name)}</code>
          </h2>
          <Quiet>
            {bundleWords.tool.kinds[detail.kind]} {bundleWords.tool.of} <OtherText>{detail.entry_key}</OtherText>
            {detail.name_override !== null && (
              <>
                {' · '}
                {words.renamedFrom} <OtherText>{detail.upstream_name}</OtherText>
              </>
            )}
          </Quiet>
        </Stack>
        <Row>
          <StateBadge state={detail.state} />
          {bundle.may_modify && <ToolSwitch bundleId={bundle.id} tool={detail} />}
        </Row>
      </Row>
      <HeldNote bundle={bundle} tool={detail} />
      <Findings findings={detail.findings} />
      <Tabs
        label={words.views.label}
        value={views.includes(chosen) ? chosen : 'clients'}
        onChange={(next) =>
          void navigate({
            search: (former) => ({ ...former, view: next === 'clients' ? undefined : next }),
            replace: true,
          })
        }
        tabs={views.map((one) => [one, words.views[one], contents[one]] as const)}
      />
    </>
  );
}

const rulesOf = ({ name_override, title, description, annotations, fixed_arguments }: Detail): string =>
  JSON.stringify([name_override, title, description, annotations, fixed_arguments]);

/** What clients get beside what its server offers. */
function Sides({ detail }: { detail: Detail }) {
  const { shown: gets, definition } = detail;
  return (
    <div className={styles.sides}>
      <section className={styles.side} aria-label={words.clientsGet}>
        <h3>{words.clientsGet}</h3>
        {gets ? (
          <>
            <code>{shown(nameIn(gets, detail.name))}</code>
            <Title definition={gets} />
            <ToolDefinition definition={gets} kind={detail.kind} />
          </>
        ) : (
          <p>{words.clientsGetNothing[detail.state]}</p>
        )}
        {detail.fixed_arguments !== null && <FixedValues values={detail.fixed_arguments} />}
      </section>
      <section className={styles.side} aria-label={words.serverOffers}>
        <h3>{words.serverOffers}</h3>
        <code>{shown(detail.upstream_name)}</code>
        {definition && <Title definition={definition} />}
        <ToolDefinition definition={definition} kind={detail.kind} />
      </section>
    </div>
  );
}

function Title({ definition }: { definition: Record<string, unknown> }) {
  const title = definition['title'];
  return typeof title === 'string' ? (
    <strong>
      <OtherText>{title}</OtherText>
    </strong>
  ) : null;
}

const nameIn = (definition: Record<string, unknown>, otherwise: string): string =>
  typeof definition['name'] === 'string' ? definition['name'] : otherwise;

const FixedValues = ({ values }: { values: Record<string, unknown> }) => (
  <div>
    <Row>
      <Badge icon="lock">{words.fixedTitle}</Badge>
    </Row>
    <ul>
      {Object.entries(values).map(([name, value]) => (
        <li key={name}>
          <code>{shown(name)}</code>: <code>{shown(JSON.stringify(value))}</code>
        </li>
      ))}
    </ul>
  </div>
);
