// expect: result_too_large
// Levels made while they are read.
function run() { const make = () => ({ get a() { return make(); } }); return make(); }
