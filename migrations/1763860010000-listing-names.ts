import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Names are unique among public listings, and among the listings of one owner, whatever their case (contract, section
 * 12.3); until now they were unique over all. And the servers of the sample catalogue say that they are such, so that
 * they give way to the real ones.
 */
export class ListingNames1763860010000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE listings
        ADD COLUMN is_sample boolean NOT NULL DEFAULT false,
        ADD COLUMN shares_name boolean NOT NULL DEFAULT false`);
    // Only what is still as the last release loaded it: nobody added a version to it.
    await queryRunner.query(
      `UPDATE listings SET is_sample = true
       FROM listing_versions AS loaded, unnest($1::text[], $2::text[]) AS sample (name, digest)
       WHERE listings.org_id IS NULL AND listings.owner_id IS NULL AND listings.import_source IS NULL
         AND listings.name = sample.name AND loaded.listing_id = listings.id AND md5(loaded.server::text) = sample.digest
         AND NOT EXISTS (SELECT FROM listing_versions AS other
                         WHERE other.listing_id = listings.id AND other.version <> loaded.version)`,
      [SAMPLE.map(([name]) => name), SAMPLE.map(([, digest]) => digest)],
    );

    // The next import of each source is whole, from its beginning: what the last release refused for the name of a sample
    // listing, or stored with its fields sorted, has not changed at the source, so nobody would ask for it again.
    await queryRunner.query(`UPDATE import_sources SET changed_until = NULL WHERE changed_until IS NOT NULL`);
    await queryRunner.query(`UPDATE import_runs SET next_cursor = NULL WHERE next_cursor IS NOT NULL`);

    // Two that differ in case and are there already stay as they are; the first one has the name from now on.
    await queryRunner.query(`
      UPDATE listings SET shares_name = true
      FROM (
        SELECT id, is_public AND row_number() OVER (PARTITION BY folded, is_public ORDER BY since, id) > 1
            OR num_nonnulls(org_id, person_id) > 0
               AND row_number() OVER (PARTITION BY folded, org_id, person_id ORDER BY since, id) > 1 AS is_later
        FROM (SELECT id, org_id, CASE WHEN org_id IS NULL THEN owner_id END AS person_id,
                     lower(name COLLATE "C") AS folded, visibility = 'PUBLIC' AND status <> 'DRAFT' AS is_public,
                     coalesce(published_at, created_at) AS since FROM listings) AS named
      ) AS ranked
      WHERE listings.id = ranked.id AND is_later`);
    // For those who look for a name, with those that share it.
    await queryRunner.query(`CREATE INDEX listings_folded_name_idx ON listings (lower(name COLLATE "C"))`);
    await queryRunner.query(`
      CREATE UNIQUE INDEX listings_public_name_key ON listings (lower(name COLLATE "C"))
      WHERE visibility = 'PUBLIC' AND status <> 'DRAFT' AND NOT shares_name`);
    // What belongs to nobody, as what was imported, has no other listings of its owner beside it.
    await queryRunner.query(`
      CREATE UNIQUE INDEX listings_owner_name_key
      ON listings (lower(name COLLATE "C"), org_id, (CASE WHEN org_id IS NULL THEN owner_id END)) NULLS NOT DISTINCT
      WHERE NOT shares_name AND num_nonnulls(org_id, owner_id) > 0`);
    await queryRunner.query(`ALTER TABLE listings DROP CONSTRAINT listings_name_key`);
    await queryRunner.query(`CREATE INDEX listings_sample_idx ON listings (id) WHERE is_sample`);
  }

  /** @throws Error where listings have come to share a name: no release before could hold them */
  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE listings ADD CONSTRAINT listings_name_key UNIQUE (name)`);
    for (const index of ['sample_idx', 'owner_name_key', 'public_name_key', 'folded_name_idx']) {
      await queryRunner.query(`DROP INDEX listings_${index}`);
    }
    await queryRunner.query(`ALTER TABLE listings DROP COLUMN is_sample, DROP COLUMN shares_name`);
  }
}

/** What the last release loaded: the name of each server, and the MD5 of its document as `jsonb` writes it. */
const SAMPLE: readonly (readonly [name: string, digest: string])[] = [
  ['io.github.wonderwhy-er/desktop-commander', 'c6dd914fda4de9cc7c902130fc7018dd'],
  ['io.github.modelcontextprotocol/server-everything', 'e737490d06f7f4954ab6469dbaf679bc'],
  ['io.github.vercel/next-devtools-mcp', 'b9a6ee25abbce9b69452e78ad9b708be'],
  ['com.postman/postman-mcp-server', '8fa3e597eea9017b91e8cd34d4b7cfdd'],
  ['com.xcodebuildmcp/XcodeBuildMCP', '748f612c97985c9f5bb6e5aa7ebd23a7'],
  ['io.github.MatanYemini/bitbucket-mcp', '3ba154a89902e9c835e0d0a695f259e5'],
  ['io.github.modelcontextprotocol/server-git', '2329327155d3f4e33db039e1939989a7'],
  ['io.github.github/github-mcp-server', 'ecf05ca73221691f9a57a31b944459fb'],
  ['com.gitlab/mcp', '9a9449a0eb4da2428ee478cbc503dc00'],
  ['io.github.awslabs/aws-documentation-mcp-server', 'a64b2db2d5bb5b0c39d1e613bc34ca94'],
  ['io.github.upstash/context7', '899374d3842c49b367a480ff5e3bd148'],
  ['com.deepwiki/mcp', '20d0eafa1be1ce91459b79eb5696dc88'],
  ['com.microsoft/microsoft-learn-mcp', '59430be5cf3c02bedaa294ffaf2dfb70'],
  ['dev.svelte/mcp', '8f1c9a542e83970e717cb532a37dae01'],
  ['io.github.browserbase/mcp-server-browserbase', '4256e9a1bf2a5a7cb1f40adc1eb2cf04'],
  ['io.github.browserstack/mcp-server', '78f3644b2630ce183f201eabe267f300'],
  ['io.github.ChromeDevTools/chrome-devtools-mcp', '046b7815e203181eb91ce096d176c31b'],
  ['io.github.mobile-next/mobile-mcp', 'b5cfe66c55eeb1582332256bc90f4565'],
  ['io.github.microsoft/playwright-mcp', '25c33eee809c8c08f97e637bc894d9a8'],
  ['io.github.aws/mcp-proxy-for-aws', '309f26fa14d9d78fc6cfb204dbbf49b9'],
  ['com.microsoft/azure', 'd5110fb01036d76d83b08b1bba8ed54d'],
  ['com.cloudflare.mcp/mcp', '351c778f546c755decc7429b99f1d874'],
  ['io.github.firebase/firebase-mcp', '40be7a335a6352033f0268f9f38fc384'],
  ['io.github.heroku/heroku-mcp-server', '03f42b9aff3f6f9ba436114e0ec65731'],
  ['io.github.netlify/netlify-mcp', 'b8ab5eb9927e443929005033ea3a8767'],
  ['com.vercel/vercel-mcp', '43f8005218678976dfa9d66510a94445'],
  ['io.github.buildkite/buildkite-mcp-server', '99622b2418a091e5e90f0c57f6b3d4fc'],
  ['io.github.docker/hub-mcp', '247a26e4fc621e68c889b248855953b0'],
  ['io.github.containers/kubernetes-mcp-server', 'e09f33caaf04a60cc55356951e2e6d3e'],
  ['io.github.pulumi/mcp-server', '54355a67af13204d38d300b3057bb01a'],
  ['io.github.hashicorp/terraform-mcp-server', '9cc784cc0afdf0d44b0e28a78c851c74'],
  ['io.github.datadog-labs/mcp-server', '8451deec0cc258468dc703a28dfcabbe'],
  ['io.github.grafana/mcp-grafana', '06e7d0c66af05ba9dede163b1bd80dea'],
  ['com.newrelic/mcp-server', '65a1e38eac760d2fa175aec95e0fb03f'],
  ['io.github.PagerDuty/pagerduty-mcp', '2d182c2f10bb49f2f35244700b0f3283'],
  ['io.github.pab1it0/prometheus-mcp-server', '1c6ce19b65b8540b3200223e2b6db164'],
  ['io.github.getsentry/sentry-mcp', 'de212c4cfcc362d21a2de2c6d0cdedd6'],
  ['io.github.ClickHouse/mcp-clickhouse', 'c664eeb4e41ed115e481e23dd8bc1484'],
  ['io.github.googleapis/genai-toolbox', '587dbff2fe3847e89585e73cee1a1619'],
  ['io.github.mongodb-js/mongodb-mcp-server', '49fc0216f930fb77990f4a866dbc2327'],
  ['io.github.neo4j-contrib/mcp-neo4j-cypher', '25d09dd4f668e1814ec697a8e3b724fb'],
  ['com.neon/mcp', '8368545884623b48089ec4a08974984a'],
  ['io.github.redis/mcp-redis', '355700a987983a78e7ac41092435268d'],
  ['com.supabase/mcp', '0e706c79a25aed8b40b8e51e8bafeba9'],
  ['com.amplitude/mcp-server', '6146aa058a2a8faec95e4a91a5696efd'],
  ['com.google.cloud/bigquery', '159721bd7808ead50084af06fc0f853c'],
  ['io.github.dbt-labs/dbt-mcp', '5b1d7b6c5d654a8f0962bbc560e45c1c'],
  ['io.github.PostHog/mcp', 'b9e4964195cb215702313be7dd58a1b6'],
  ['io.github.Snowflake-Labs/mcp', '4ed01b411041913bd7d10d634b767e05'],
  ['io.github.brave/brave-search-mcp-server', '213731b5fe3dd81fddab8ca9c2785a2c'],
  ['ai.exa/exa', 'e331a0582635dc09f25fb8d80a9e78ea'],
  ['io.github.modelcontextprotocol/server-fetch', 'b8489cfbd12f2fb0561b98cda08a33e3'],
  ['io.github.firecrawl/firecrawl-mcp-server', '45adc6308c1ebae2095abf405e760ef2'],
  ['io.github.perplexityai/mcp-server', 'affd803c0709bf9feffa5cc24de7b727'],
  ['io.github.tavily-ai/tavily-mcp', '6f08ce845f6c173e65a0dab5d91020de'],
  ['io.github.chroma-core/chroma-mcp', '35e74244a347ddb159e93c6eafb0b782'],
  ['io.github.modelcontextprotocol/server-memory', 'd671f2c1568ca24208c0f1daad1b572c'],
  ['io.github.pinecone-io/pinecone-mcp', 'a0ba4927cb02eac0b3a850462890a595'],
  ['io.github.qdrant/mcp-server-qdrant', '31af53465523c92c01b2236ed525646a'],
  ['co.huggingface/hf-mcp-server', 'a5fae2c79a2a6cd84b8fba9e439c0734'],
  ['com.make/mcp-server', '609f034ff92c710f9da124291e702aa9'],
  ['io.github.modelcontextprotocol/server-sequential-thinking', '237bbd5063133613c64cb63ef7ab34a2'],
  ['com.zapier/mcp', '0bcdac0fda8872344fa59d560cd47905'],
  ['com.airtable/mcp', '4b1452ed084c41958db697089dafb87e'],
  ['com.box/mcp', 'f95957c7f3dc863ead6d7a1902f6711b'],
  ['io.github.modelcontextprotocol/server-filesystem', 'ff6f6fb8cee164cfcaebef54832f2ddf'],
  ['com.google/drive', '3cbc3adc12dd78bbeb731d698fbb19c0'],
  ['com.notion/mcp', 'd66a5a1285001b3c6f198ef2750b88ab'],
  ['com.asana/mcp', '86662b2fd8564e1822535dfd1eafbe2a'],
  ['com.atlassian/atlassian-mcp-server', '870d28ff4bd8c74165726c57ee4723cd'],
  ['com.clickup/mcp', '9ec9c837769b8fada80ea70911119585'],
  ['app.linear/linear', '5b572118550d78eaa6d15ba0cf4c1f4b'],
  ['com.monday/monday.com', 'a860b134fa87e8b1249784b0698438cc'],
  ['net.todoist/mcp', '87252fe68fd3c543f6cefbb048933787'],
  ['com.google/gmail', 'c726927f9cdcc4c2f8423b44ae56080a'],
  ['com.google/calendar', '494154747c4eef9690521bbabdb16bd1'],
  ['com.intercom/mcp', 'd13f75e5c852cadf8768c4e91db9f9e9'],
  ['com.slack/mcp', 'fcf0313e6a5724b53b813db334651c4a'],
  ['io.github.modelcontextprotocol/server-time', '6811e54680ce3d851c17cf4930da852f'],
  ['com.canva/mcp', 'd0589d0f37a251cc97f866d3aa89b588'],
  ['io.github.cloudinary/mcp-servers', '3a115b6b51e9847671a8bce2452236c9'],
  ['com.figma.mcp/mcp', 'eeb2f90021c07c0e37155669cb8ee21d'],
  ['com.mermaidchart/mermaid-mcp', 'accdad674d277572bc4a1307d76733b6'],
  ['com.miro/mcp', '12457f5756fe254e48099556e5fb0c4a'],
  ['io.sanity.www/mcp', '9bc613ad0d4c2eaa0d61d6370310d3ab'],
  ['com.webflow/mcp', '791d92f048d8dbb60f50eaf3c2468239'],
  ['com.wix/mcp', 'c23f1aac33d6c35d83e545c43ba19666'],
  ['com.wordpress/mcp', 'a382c98dbfc169c1effb5fa1f689fbf2'],
  ['com.ahrefs/mcp', '06389f5e40ca0e7ab69f6bf10b19ea12'],
  ['com.close/close-mcp', '4ecb7b220a4d3a8424a879449666b2ae'],
  ['com.hubspot/mcp', '28ed8fbe847a5ccb22293b2e289e591c'],
  ['com.klaviyo/mcp', '2eaa9d0d33e2fc6b8a2d82e4ba72896f'],
  ['com.paypal.mcp/mcp', '9a98f667686436b201ea8d4463919a72'],
  ['io.github.Shopify/dev-mcp', 'bf2173dcf7c1108883095839e35b32bd'],
  ['com.squareup/mcp', '023d37839c16ddbf8a75c272794e7bf7'],
  ['com.stripe/mcp', 'a589a004c8931dd6eaf3409184dccabf'],
  ['io.github.semgrep/semgrep', '07f574a801a32cf6cbad5f8a3192d4dd'],
  ['io.snyk/mcp', 'c2e96c08a14baeac279cb7c52898c4fe'],
  ['io.github.SonarSource/sonarqube-mcp-server', '91d9924d5ff9b8e8c48023236417921d'],
  ['com.sonatype/dependency-management-mcp-server', '2b47df4b9b04a7b329d11a6eef47c043'],
  ['io.github.Flightradar24/fr24api-mcp', '8ce693a76040866aac572f41c8667a3f'],
  ['com.kiwi/mcp', 'daa0c70a2d9d1466fe946bf30a06466b'],
  ['io.github.mapbox/mcp-server', 'c756175a9640481e61d4f9b9452f318b'],
  ['io.github.blazickjp/arxiv-mcp-server', '96c29df2702a30ff6eaeab75b3f8f7cc'],
  ['io.github.opentargets/open-targets-platform-mcp', '6b9a6ca9a44af361fbabfd55baf04661'],
  ['io.github.cyanheads/pubmed-mcp-server', '980e035c1f346d149a9ccb09cafb8078'],
  ['com.wolfram/mcp', '517460722dee2a0cac27bced5186242f'],
];
