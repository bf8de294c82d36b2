@echo off
rem The command line of Centroid Lab. Not built here and not tested.
setlocal
for %%v in (NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_V8_COVERAGE OPENSSL_CONF CENTROID_LAB_ADDON_DIR) do set "%%v="
"%~dp0..\node\node.exe" "%~dp0..\engine\out\main\cli.js" %*
