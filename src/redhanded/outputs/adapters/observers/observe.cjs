// Runs a JavaScript grader in its own process, and vouches for the functions that it enters.
//
//     node observe.cjs SCRIPT FUNCTION [PACKAGE[:NAME] ...]
//
// No dependencies. The protocol is that of docs/grader-protocol.md.
'use strict';

const crypto = require('crypto');
const fs = require('fs');
const path = require('path');
const readline = require('readline');
const { createRequire } = require('module');
const { pathToFileURL } = require('url');

const key = process.env.REDHANDED_WITNESS_KEY || '';
delete process.env.REDHANDED_WITNESS_KEY;

let entered = [];
const depth = new Map();

// What the grader prints is no response: stdout is ours, console goes to stderr.
const say = (line) => fs.writeSync(1, line + '\n');
for (const name of ['log', 'info', 'debug']) console[name] = console.error;
process.stdout.write = (...args) => process.stderr.write(...args);

function plain(value) {
  if (value === undefined) return null;
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  try {
    const text = JSON.stringify(value);
    return text === undefined ? typeof value : JSON.parse(text);
  } catch {
    return typeof value;
  }
}

// A function that does what the given one does, and is seen doing it.
function wrap(original, target, role) {
  const seen = function (...args) {
    const entry = { target, role, outermost: !depth.get(target) };
    entered.push(entry);
    depth.set(target, (depth.get(target) || 0) + 1);
    const left = () => depth.set(target, depth.get(target) - 1);
    const returned = (value) => {
      entry.returned = plain(value);
      left();
      return value;
    };
    const raised = (error) => {
      entry.raised = String(error);
      left();
      throw error;
    };
    let value;
    try {
      value = new.target ? Reflect.construct(original, args, new.target) : original.apply(this, args);
    } catch (error) {
      return raised(error);
    }
    return value && typeof value.then === 'function' ? value.then(returned, raised) : returned(value);
  };
  // A class keeps its methods, static ones too.
  if (original.prototype) seen.prototype = original.prototype;
  Object.setPrototypeOf(seen, original);
  return seen;
}

// Put an observed function in a library function's place, before the grader binds it.
function watch(target, require_) {
  const [name, member] = target.split(':');
  const file = require_.resolve(name);
  const exported = require_(name);
  if (member) {
    if (typeof exported[member] !== 'function') throw new Error(`${name} has no function ${member}`);
    exported[member] = wrap(exported[member], target, 'upstream');
  } else {
    if (typeof exported !== 'function') throw new Error(`${name} is no function: name one, ${name}:...`);
    require.cache[file].exports = wrap(exported, target, 'upstream');
  }
}

async function load(script, name) {
  const file = path.resolve(script);
  const loaded = file.endsWith('.mjs') ? await import(pathToFileURL(file).href) : require(file);
  const found = loaded[name] || (name === 'default' && typeof loaded === 'function' ? loaded : undefined);
  if (typeof found !== 'function') throw new Error(`${script} exports no function ${name}`);
  return found;
}

function answerOf(value) {
  if (value === null || value === undefined) return { verdict: null };
  if (typeof value === 'boolean') return { verdict: value };
  if (typeof value === 'number') {
    return Number.isFinite(value) ? { score: value } : { error: `the grader returned ${value}` };
  }
  if (typeof value === 'object') {
    const verdict = ['passed', 'pass', 'verdict'].find((name) => typeof value[name] === 'boolean');
    if (verdict) {
      return typeof value.score === 'number'
        ? { verdict: value[verdict], score: value.score }
        : { verdict: value[verdict] };
    }
    return typeof value.score === 'number' ? { score: value.score } : { verdicts: plain(value) };
  }
  return { error: `the grader returned a ${typeof value}` };
}

async function main() {
  const [script, name, ...watching] = process.argv.slice(2);
  const require_ = createRequire(path.resolve(script));
  for (const target of watching) watch(target, require_);
  const grade = wrap(await load(script, name), name, 'grader');
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const request = JSON.parse(line);
    const { output } = request;
    const response = { id: request.id, nonce: request.nonce };
    try {
      const answer = 'value' in output ? output.value : output.text || '';
      const context = { target: request.target, input: request.input, output };
      Object.assign(response, answerOf(await grade(answer, request.target, context)));
    } catch (error) {
      response.error = String(error);
    }
    const payload = JSON.stringify({ id: request.id, nonce: request.nonce, entered, watching });
    const mac = crypto.createHmac('sha256', key).update(payload).digest('hex');
    entered = [];
    response.witness = { payload, mac };
    say(JSON.stringify(response));
  }
}

main().catch((error) => {
  console.error(String(error && error.stack ? error.stack : error));
  process.exit(1);
});
