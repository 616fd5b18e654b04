// Fills the report from the JSON in #data: text and table as plain DOM, plots by Vega-Lite.
(() => {
  'use strict';

  // ---- rows, the fastest first --------------------------------------------------------------

  const KINDS = {pick: 'the pick', original: 'original', barred: 'over a limit', candidate: 'candidate'};
  const rows = data.rows.map((row, i) => ({
    ...row,
    place: i,
    bytesPerSample: known(row.bytesPerSample),
    totalBytes: known(row.totalBytes),
    quality: known(row.quality),
    predicted: known(row.predicted),
    measured: known(row.measured),
    kind: row.picked ? 'pick' : row.original ? 'original' : row.feasible ? 'candidate' : 'barred',
  }));
  rows.sort((a, b) => (b.measured ?? -1) - (a.measured ?? -1)
    || (b.predicted ?? -1) - (a.predicted ?? -1) || a.place - b.place);
  rows.forEach((row, i) => { row.number = i + 1; });
  const pick = rows.find(row => row.picked);
  const original = rows.find(row => row.original);
  const consumer = known(data.consumer);
  const best = row => row.measured ?? row.predicted;
  const times = (value, base) => (value && base ? value / base : null);

  // ---- text ---------------------------------------------------------------------------------

  function fillHead() {
    document.title = data.title;
    $('title').textContent = data.title;
    const size = known(data.samples);
    $('dataset').textContent = data.dataset + (size ? `, ${grouped(size, 0)} samples` : '');
    $('advice').textContent = data.advice;
    $('advice').hidden = !data.advice;
  }

  function card(name, value, unit, ...below) {
    const shown = make('dd', {class: 'value'}, value);
    if (unit && value !== NONE) shown.append(make('span', {class: 'unit'}, ' ' + unit));
    $('cards').append(make('div', {}, make('dt', {}, name), shown,
      ...below.filter(Boolean).map(line => make('dd', {}, line))));
  }

  function fillCards() {
    const row = pick ?? original;
    $('cards').hidden = !row;
    if (!row) return;
    const whose = row === original ? 'of the original' : 'of the pick';
    const against = (value, base, shown) => row !== original && times(value, base)
      && `${ratio(times(value, base))} the original’s ${shown}`;
    card(`Throughput ${whose}`, rate(best(row)), 'samples/s',
      original && against(best(row), best(original),
        rate(best(original)) + (original.measured ? '' : ', which is predicted')),
      !row.measured && (row.predicted ? 'predicted, not measured' : 'not measured'));
    card('Storage of one sample', bytes(row.bytesPerSample), '',
      original && against(row.bytesPerSample, original.bytesPerSample, bytes(original.bytesPerSample)),
      row.totalBytes && `${bytes(row.totalBytes)} in all`);
    card('Quality', quality(row.quality), 'SSIM',
      row.quality === 1 ? 'no pixel changed' : row.quality ? 'mean against the original' : 'not measured');
    if (consumer && best(row)) {
      card('Trainer kept fed', percent(Math.min(1, best(row) / consumer)), '',
        `it can take ${rate(consumer)} samples/s`,
        row !== original && original && best(original)
          && `with the original: ${percent(Math.min(1, best(original) / consumer))}`);
    }
  }

  // ---- table --------------------------------------------------------------------------------

  const number = (title, unit, value, show) =>
    ({title, unit, value, show: row => show(value(row)), number: true});
  const COLUMNS = [
    number('#', '', row => row.number, String),
    {title: 'Candidate', value: row => row.name, name: true},
    number('Measured', 'samples/s', row => row.measured, rate),
    number('Predicted', 'samples/s', row => row.predicted, rate),
    number('Speed-up', 'measured', row => times(row.measured, original?.measured), ratio),
    number('Storage', 'per sample', row => row.bytesPerSample, bytes),
    number('Storage', 'in all', row => row.totalBytes, bytes),
    number('Quality', 'SSIM', row => row.quality, quality),
    number('Read', 'ms', row => row.readMillis, millis),
    number('Decode', 'ms', row => row.decodeMillis, millis),
    number('Transform', 'ms', row => row.transformMillis, millis),
    {title: 'Bound by', value: row => row.bottleneck},
  ];

  function cell(column, row) {
    if (column.number) return make('td', {class: 'number'}, column.show(row));
    if (!column.name) return make('td', {}, column.value(row) || NONE);
    const name = make('th', {scope: 'row'}, row.name);
    const marks = [row.picked && 'the pick', row.original && 'the original', !row.feasible && 'over a limit']
      .filter(Boolean).join(', ');
    const below = [marks, row.note].filter(Boolean).join(': ');
    if (below) name.append(make('span', {class: 'mark'}, below));
    return name;
  }

  // ---- plots --------------------------------------------------------------------------------

  vega.expressionFunction('humanBytes', v => roundBytes(v));
  vega.expressionFunction('humanRate', v => grouped(v, v < 10 && !Number.isInteger(v) ? 1 : 0));
  vega.expressionFunction('rowTitle', v => rows[v - 1].name);
  vega.expressionFunction('numberedTitle', v => `${v}\u2002${rows[v - 1].name}`);
  vega.expressionFunction('titleNumbered', v => `${rows[v - 1].name}\u2003${v}`);
  vega.expressionFunction('rowPicked', v => rows[v - 1].picked);
  vega.expressionFunction('epochTitle', v => data.epochs[v].name);

  function rowTip(row) {
    return [
      `${row.number}  ${row.name}` + (row.kind === 'candidate' ? '' : ` (${KINDS[row.kind]})`),
      row.measured && `${rate(row.measured)} samples/s measured`,
      row.predicted && `${rate(row.predicted)} samples/s predicted`,
      row.bytesPerSample && `${bytes(row.bytesPerSample)} a sample, ${bytes(row.totalBytes)} in all`,
      row.quality && `SSIM ${quality(row.quality)}`,
      row.bottleneck && `bound by ${row.bottleneck}`,
      row.note,
    ].filter(Boolean).join('\n');
  }

  /** Round values between two sizes, few enough for the width. */
  function byteTicks(low, high, log, most) {
    const ticks = [];
    if (log) {
      const first = Math.ceil(Math.log2(low)), last = Math.floor(Math.log2(high));
      const step = Math.max(1, Math.ceil((last - first + 1) / most));
      for (let power = first; power <= last; power += step) ticks.push(2 ** power);
    } else {
      const unit = 1024 ** Math.max(0, Math.floor(Math.log(high) / Math.log(1024)));
      const rough = (high - low) / unit / most;
      const ten = 10 ** Math.floor(Math.log10(rough));
      const step = unit * ten * [1, 2, 5, 10].find(factor => factor * ten >= rough);
      for (let tick = Math.ceil(low / step) * step; tick <= high; tick += step) ticks.push(tick);
    }
    return ticks;
  }

  /** Whether a wide plot has no room for names, so that points carry numbers. */
  const crowded = () => rows.length > 18;

  function drawTrade(narrow) {
    const total = rows.every(row => row.totalBytes);
    const shown = rows.map(row => ({...row, bytes: total ? row.totalBytes : row.bytesPerSample, at: best(row)}))
      .filter(row => row.bytes && row.at);
    $('trade').hidden = shown.length === 0;
    if (shown.length === 0) return;

    const numbered = narrow || crowded();
    const page = style('page');
    const points = shown.map(row => ({
      kind: row.kind, bytes: row.bytes, at: row.at, measured: row.measured, predicted: row.predicted, tip: rowTip(row),
      shape: {pick: 'diamond', original: 'square', barred: 'cross', candidate: 'circle'}[row.kind],
      ink: style(row.kind), fill: row.measured ? style(row.kind) : page,
      rim: row.measured ? page : style(row.kind),
      size: {pick: 340, original: 340, barred: 190, candidate: 140}[row.kind],
      text: numbered ? String(row.number) + (row.picked ? '  pick' : row.original ? '  original' : '') : row.name,
      textInk: style(row.picked ? 'pick' : row.feasible ? 'ink' : 'soft'),
      weight: row.picked ? 'bold' : 'normal',
      rank: row.picked ? 0 : row.original ? 1 : row.feasible ? 2 : 3,
    }));
    const ontop = {barred: 0, original: 1, candidate: 2, pick: 3}; // no candidate hides the pick
    points.sort((a, b) => ontop[a.kind] - ontop[b.kind]);
    const both = points.filter(point => point.measured && point.predicted);

    const sizes = points.map(point => point.bytes);
    const least = Math.min(...sizes), most = Math.max(...sizes);
    const log = most > 8 * least;
    const low = log ? least / 1.25 : most > 2 * least ? 0 : Math.max(0, least - 0.15 * most);
    const high = log ? most * 1.25 : low > 0 ? 1.15 * most : 1.08 * most;
    const fastest = Math.max(...points.map(point => Math.max(point.at, point.predicted ?? 0)));
    const onPlot = consumer && consumer <= 3 * fastest;

    const x = {
      field: 'bytes', type: 'quantitative',
      scale: {type: log ? 'log' : 'linear', ...(log && {base: 2}), domain: [low, high], nice: false},
      axis: {
        title: total ? 'storage of the whole dataset' : 'storage of one sample',
        values: byteTicks(low, high, log, narrow ? 4 : 9), labelExpr: 'humanBytes(datum.value)',
        grid: false, labelFlush: true,
      },
    };
    const y = field => ({
      field, type: 'quantitative',
      scale: {domain: [0, 1.06 * Math.max(fastest, onPlot ? consumer : 0)], nice: true},
      axis: {
        title: 'samples/s', titleAngle: 0, titleAlign: 'left', titleAnchor: 'end', titleBaseline: 'bottom',
        titleX: 0, titleY: -12, labelExpr: 'humanRate(datum.value)', tickCount: 6, domain: false, ticks: false, grid: true,
      },
    });
    const layer = [
      {
        name: 'gap', data: {values: both}, mark: {type: 'rule', strokeWidth: 1},
        encoding: {x, y: y('predicted'), y2: {field: 'measured'}, color: {field: 'ink', scale: null}},
      },
      {
        name: 'predicted', data: {values: both}, mark: {type: 'point', fill: page, opacity: 1, size: 40, strokeWidth: 1.3},
        encoding: {x, y: y('predicted'), stroke: {field: 'ink', scale: null}, tooltip: {field: 'tip', type: 'nominal'}},
      },
      {
        name: 'points', data: {values: points}, mark: {type: 'point', opacity: 1, strokeWidth: 1.5},
        encoding: {
          x, y: y('at'), shape: {field: 'shape', scale: null}, size: {field: 'size', type: 'quantitative', scale: null},
          fill: {field: 'fill', scale: null}, stroke: {field: 'rim', scale: null},
          tooltip: {field: 'tip', type: 'nominal'},
        },
      },
    ];
    if (onPlot) {
      const where = {y: {...y(undefined), datum: consumer}};
      layer.unshift(
        {name: 'line', data: {values: [{}]}, mark: {type: 'rule', strokeDash: [6, 4]}, encoding: where},
        {
          name: 'trainer', data: {values: [{}]},
          mark: {type: 'text', align: 'right', baseline: 'bottom', dy: -4, color: style('soft'),
            text: `trainer: ${rate(consumer)} samples/s`},
          encoding: {...where, x: {value: 'width'}},
        });
    }
    // Vega-Lite cannot place labels; Vega can, and leaves out those that find no room.
    const labels = {
      type: 'text', name: 'labels', interactive: false, from: {data: 'points_marks'},
      encode: {enter: {
        text: {field: 'datum.text'}, fill: {field: 'datum.textInk'}, fontWeight: {field: 'datum.weight'},
        fontSize: {value: 14}, font: {value: style('sans')}, limit: {value: 300},
      }},
      transform: [{
        type: 'label', size: {signal: '[width, height]'}, offset: [6],
        anchor: ['right', 'left', 'top', 'bottom', 'top-right', 'bottom-right', 'top-left', 'bottom-left'],
        avoidMarks: ['gap', 'predicted', ...(onPlot ? ['trainer', 'line'] : [])].map(name => name + '_marks'),
        sort: {field: 'datum.datum.rank'},
      }],
    };

    $('trade-caption').textContent = 'Up and to the left is better.'
      + (numbered ? ' Points carry the numbers that the table has in its first column.' : '')
      + (log ? ' The axis of storage is logarithmic.' : '')
      + (consumer && !onPlot ? ` The trainer could take ${rate(consumer)} samples/s, far above this plot.` : '');
    const has = kind => shown.some(row => row.kind === kind);
    key('trade-key', [
      has('pick') && ['<path d="M0-7.5 6-0 0 7.5-6 0Z" fill="var(--pick)"/>', 'pick'],
      has('original') && ['<rect x="-5.5" y="-5.5" width="11" height="11" fill="var(--original)"/>', 'original'],
      has('candidate') && ['<circle r="5.5" fill="var(--candidate)"/>', 'candidate'],
      has('barred') && ['<path d="M-2-6H2V-2H6V2H2V6H-2V2H-6V-2H-2Z" fill="var(--barred)"/>', 'over a limit'],
      points.some(point => point.predicted)
        && ['<circle r="4.5" fill="none" stroke="var(--soft)" stroke-width="1.4"/>', 'predicted (hollow)'],
    ].filter(Boolean));
    $('trade-plot').setAttribute('aria-label', 'Scatter plot of storage against samples a second. '
      + shown.map(row => `${row.name}: ${bytes(row.bytes)}, ${rate(row.at)} samples/s`).join('; '));
    draw('trade-plot', {height: narrow ? 340 : 440, layer}, [labels]);
  }

  /**
   * The axis of horizontal bars: names beside the bars or, where the page is narrow, above them, less
   * the pixels `taken` by other text there.
   */
  function nameAxis(narrow, title, bold, taken = 0) {
    const axis = {
      title: null, ticks: false, domain: false, grid: false, labelExpr: title, labelColor: style('ink'),
      labelFontWeight: {condition: {test: bold, value: 'bold'}, value: 'normal'},
    };
    return narrow
      ? {...axis, labelAlign: 'left', labelPadding: 0, labelOffset: -11, zindex: 1,
        labelLimit: document.querySelector('main').clientWidth - 32 - taken}
      : {...axis, labelPadding: 10, labelLimit: 340};
  }
  const bar = narrow => (narrow ? {type: 'bar', height: 15, yOffset: 10} : {type: 'bar', height: {band: 0.66}});
  const beside = narrow => ({type: 'text', align: 'left', baseline: 'middle', dx: 6, dy: narrow ? 10 : 0, color: style('soft')});
  const step = narrow => ({step: narrow ? 50 : 28});

  function drawStages(narrow) {
    const STAGES = ['read', 'decode', 'transform'];
    const parts = [], totals = [];
    for (const row of rows) {
      const spent = STAGES.map(stage => known(row[stage + 'Millis']) ?? 0);
      const sum = spent.reduce((a, b) => a + b);
      const tip = [row.name, ...STAGES.map((stage, i) => `${stage} ${millis(spent[i])} ms`)].join('\n');
      totals.push({key: row.number, sum, text: sum ? `${millis(sum)} ms` : NONE});
      STAGES.forEach((stage, order) => parts.push({key: row.number, stage, order, spent: spent[order], tip}));
    }
    const longest = Math.max(...totals.map(total => total.sum), 0);
    $('stages').hidden = longest === 0;
    if (longest === 0) return;

    const y = {
      field: 'key', type: 'ordinal', sort: null, scale: {domain: rows.map(row => row.number)},
      axis: nameAxis(narrow, (narrow ? 'numberedTitle' : crowded() ? 'titleNumbered' : 'rowTitle') + '(datum.value)',
        'rowPicked(datum.value)'),
    };
    const scale = {domain: [0, longest * (narrow ? 1.3 : 1.14)], nice: false};
    const axis = {title: 'milliseconds of thread time a sample', tickCount: narrow ? 4 : 8, domain: false, ticks: false};
    key('stages-key', STAGES.map(stage => [swatch(stage), stage]));
    $('stages-plot').setAttribute('aria-label', 'Stacked bars of thread time a sample. '
      + rows.map((row, i) => `${row.name}: ${totals[i].text}`).join('; '));
    draw('stages-plot', {
      height: step(narrow),
      layer: [
        {
          data: {values: parts}, mark: bar(narrow),
          encoding: {
            y, x: {field: 'spent', type: 'quantitative', stack: 'zero', scale, axis},
            order: {field: 'order', type: 'quantitative'},
            color: {field: 'stage', type: 'nominal', legend: null, scale: {domain: STAGES, range: STAGES.map(style)}},
            tooltip: {field: 'tip', type: 'nominal'},
          },
        },
        {
          data: {values: totals}, mark: beside(narrow),
          encoding: {y, x: {field: 'sum', type: 'quantitative', scale, axis}, text: {field: 'text', type: 'nominal'}},
        },
      ],
    });
  }

  function drawEpochs(narrow) {
    const epochs = data.epochs.map((epoch, key) => {
      const delivered = known(epoch.samplesPerSecond);
      const waits = Number.isFinite(epoch.stallShare) ? percent(epoch.stallShare) : NONE;
      return {
        key, delivered: delivered ?? 0, before: epoch.name.startsWith('original'),
        text: `${rate(delivered)}/s` + (narrow ? `, waits ${waits}` : `, trainer waits ${waits}`),
        tip: [epoch.name, `${rate(delivered)} samples/s`, `trainer waits ${waits} of the time`,
          epoch.bottleneck && `bound by ${epoch.bottleneck}`].filter(Boolean).join('\n'),
      };
    });
    const fastest = Math.max(0, ...epochs.map(epoch => epoch.delivered));
    $('epochs').hidden = fastest === 0;
    if (fastest === 0) return;

    const onPlot = consumer && consumer <= 3 * fastest;
    const top = Math.max(fastest, onPlot ? consumer : 0);
    // Beside the longest bar there must be room for its text; in pixels, near enough.
    const named = Math.min(340, 8 * Math.max(...data.epochs.map(epoch => epoch.name.length))) + 30;
    const beyond = 200, most = Math.max(100, $('epochs-plot').clientWidth - named - beyond);
    const scale = {domain: [0, top * (narrow ? 1.02 : 1 + beyond / most)], nice: false};
    const axis = {
      title: 'samples/s', labelExpr: 'humanRate(datum.value)', tickCount: narrow ? 4 : 8, domain: false, ticks: false,
    };
    const y = {
      field: 'key', type: 'ordinal', sort: null, scale: {domain: epochs.map(epoch => epoch.key)},
      axis: nameAxis(narrow, 'epochTitle(datum.value)', 'false', 150),
    };
    for (const epoch of epochs) {
      const short = onPlot ? (consumer - epoch.delivered) / top * most : 0;
      const strikes = short > 0 && short < beyond;
      epoch.textAt = strikes ? consumer : epoch.delivered; // clear of the trainer's mark
    }
    const x = {field: 'delivered', type: 'quantitative', scale, axis};
    const text = narrow
      ? {...beside(narrow), align: 'right', dx: 0, dy: -11, x: 'width'}
      : beside(narrow);
    const layer = [
      {
        data: {values: epochs}, mark: bar(narrow),
        encoding: {
          y, x, tooltip: {field: 'tip', type: 'nominal'},
          color: {condition: {test: 'datum.before', value: style('barred')}, value: style('pick')},
        },
      },
      {
        data: {values: epochs}, mark: text,
        encoding: {y, ...(narrow ? {} : {x: {...x, field: 'textAt'}}), text: {field: 'text', type: 'nominal'}},
      },
    ];
    if (onPlot) {
      layer.push({
        data: {values: epochs},
        mark: {type: 'tick', orient: 'vertical', size: 24, thickness: 2, yOffset: narrow ? 10 : 0, color: style('ink')},
        encoding: {y, x: {datum: consumer, type: 'quantitative', scale, axis}},
      });
    }
    const has = before => epochs.some(epoch => epoch.before === before);
    key('epochs-key', [
      has(true) && [swatch('barred'), 'original'],
      has(false) && [swatch('pick'), 'converted'],
      onPlot && ['<path d="M0-8V8" stroke="var(--ink)" stroke-width="2"/>',
        `trainer: ${rate(consumer)} samples/s`],
    ].filter(Boolean));
    $('epochs-plot').setAttribute('aria-label', 'Bars of samples a second in each epoch. '
      + epochs.map((epoch, i) => `${data.epochs[i].name}: ${epoch.text}`).join('; '));
    draw('epochs-plot', {height: step(narrow), layer});
  }

  let drawnAt = 0;
  function drawAll() {
    drawnAt = document.querySelector('main').clientWidth;
    const narrow = drawnAt < 640;
    drawTrade(narrow);
    drawStages(narrow);
    drawEpochs(narrow);
  }

  fillHead();
  fillCards();
  fillTable(COLUMNS, rows, row => (row.picked ? 'picked' : row.feasible ? 'within' : 'barred'), cell);
  fillList('limits', Object.entries(data.limits));
  fillMachine();
  // Shown before they are drawn, since a hidden element has no width.
  for (const id of ['trade', 'stages', 'epochs']) $(id).hidden = false;
  drawAll();
  redrawWhenResized(() => drawnAt, drawAll);
})();
