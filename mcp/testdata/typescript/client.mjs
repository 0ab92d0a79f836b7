// A client by the official TypeScript SDK: what it finds wrong goes to standard
// error, and the status says whether there was anything.
//
//   node client.mjs stdio COMMAND ARGUMENT...
//   node client.mjs http URL TOKEN
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [way, first, ...rest] = process.argv.slice(2);
const transport = way === 'http'
  ? new StreamableHTTPClientTransport(new URL(first), { requestInit: { headers: { Authorization: 'Bearer ' + rest[0] } } })
  : new StdioClientTransport({ command: first, args: rest, stderr: 'inherit' });
const client = new Client({ name: 'conformance', version: '1' });
let wrong = 0;
const check = (ok, what) => {
  if (!ok) {
    wrong++;
    console.error('wrong: ' + what);
  }
};
await client.connect(transport);
check(client.getServerVersion().name === 'gpuprof', 'name of the server');
check(/never an instruction/.test(client.getInstructions()), 'instructions');

const { tools } = await client.listTools();
check(tools.map(t => t.name).sort().join() === 'compare,findings,kernels,metrics,open,source,sql,timeline', 'tools: ' + tools.map(t => t.name));
check(tools.every(t => t.inputSchema.type === 'object' && t.annotations.readOnlyHint), 'schemas and hints');

const text = r => r.content[0].text;
const calls = {
  open: { files: ['kernels.ncu-rep'] },
  findings: { files: ['kernels.ncu-rep'] },
  kernels: { files: ['kernels.ncu-rep'] },
  metrics: { files: ['kernels.ncu-rep'], names: ['gpu__time_duration.sum'] },
  source: { file: 'kernels.ncu-rep' },
  timeline: { files: ['timeline.sqlite'] },
  compare: { old: ['kernels.ncu-rep'], new: ['later.ncu-rep'] },
  sql: { file: 'timeline.sqlite', sql: 'SELECT COUNT(*) FROM CUPTI_ACTIVITY_KIND_KERNEL' },
};
for (const [name, args] of Object.entries(calls)) {
  const r = await client.callTool({ name, arguments: args });
  check(!r.isError && text(r).startsWith('# ') && Buffer.byteLength(text(r)) <= 8192, name + ': ' + text(r).slice(0, 200));
}

// Pages by cursor have every row once.
const rows = new Set();
let args = { file: 'timeline.sqlite', sql: "SELECT 'row_' || rowid AS r FROM CUPTI_ACTIVITY_KIND_KERNEL", budget: 1500, form: 'json' };
for (let n = 0; ; n++) {
  const page = JSON.parse(text(await client.callTool({ name: 'sql', arguments: args })));
  for (const [, r] of page.data[0].rows) {
    check(!rows.has(r), r + ' comes twice');
    rows.add(r);
  }
  if (!page.cursor || n > 100) break;
  args = { ...args, cursor: page.cursor };
}
check(rows.size === 400, rows.size + ' rows over all pages');

// Errors: of the tool where the model can mend them, else of the protocol.
const bad = await client.callTool({ name: 'open', arguments: { files: ['../x.ncu-rep'] } });
check(bad.isError && /roots/.test(text(bad)), 'a path outside: ' + text(bad));
const refused = async (what, f) => check(await f().then(() => false, e => e.code === -32602), what);
await refused('an unknown tool', () => client.callTool({ name: 'remove', arguments: {} }));
await refused('an unknown resource', () => client.readResource({ uri: 'gpuprof:///none' }));
await refused('an unknown prompt', () => client.getPrompt({ name: 'none' }));

// A call that is cancelled ends at once.
const endless = { name: 'sql', arguments: { file: 'timeline.sqlite', sql: 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT COUNT(*) FROM n' } };
const stop = new AbortController();
setTimeout(() => stop.abort(), 200);
const start = Date.now();
check(await client.callTool(endless, undefined, { signal: stop.signal }).then(() => false, () => true), 'a cancelled call has an answer');
check(Date.now() - start < 5000, 'a cancelled call goes on');

const { resources } = await client.listResources();
check(resources.some(r => r.uri === 'gpuprof:///kernels.ncu-rep?page=details'), 'resources: ' + resources.length);
const page = await client.readResource({ uri: 'gpuprof:///kernels.ncu-rep?page=details' });
check(page.contents[0].text.startsWith('# details'), 'a resource');
check((await client.listResourceTemplates()).resourceTemplates.length === 2, 'templates');
check((await client.listPrompts()).prompts.length === 3, 'prompts');
const prompt = await client.getPrompt({ name: 'slow_kernel', arguments: { file: 'kernels.ncu-rep' } });
check(/kernels.ncu-rep/.test(prompt.messages[0].content.text), 'a prompt');
await client.ping();
await client.close();
console.log(wrong === 0 ? 'conforms' : wrong + ' wrong');
process.exit(wrong === 0 ? 0 : 1);
