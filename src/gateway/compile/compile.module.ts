import { Module } from '@nestjs/common';
import { CredentialsModule } from '../credentials/credentials.module';
import { RulesModule } from '../rules/rules.module';
import { UpstreamsModule } from '../upstreams/upstreams.module';
import { BundleCompiler } from './bundle-compiler';
import { DefinitionSizes } from './definition-sizes';
import { EndpointAlias } from './endpoint-alias.entity';
import { EndpointAliases } from './endpoint-aliases';
import { EndpointUpstream } from './endpoint-upstream.entity';
import { EndpointUpstreams } from './endpoint-upstreams';
import { EntrySources } from './entry-sources';
import { ServerSnapshots } from './server-snapshots';

/**
 * Compiles a bundle into what its clients see.
 *
 * In come a bundle, who looks at it and what their client can do; the entries, their servers' definitions and the rules are
 * read here. Out goes a `CompiledBundle`: the names that are offered and where each leads, the lists as bytes, and the
 * problems for editors. It keeps compiled bundles in the memory of the process until something in them changes, and in the
 * database the aliases of entries and which servers a bundle has.
 */
@Module({
  imports: [CredentialsModule, RulesModule, UpstreamsModule],
  providers: [BundleCompiler, DefinitionSizes, EndpointAliases, EndpointUpstreams, EntrySources, ServerSnapshots],
  exports: [BundleCompiler, EndpointUpstreams, EntrySources],
})
export class CompileModule {
  static readonly declares = { entities: [EndpointAlias, EndpointUpstream] } as const;
}
